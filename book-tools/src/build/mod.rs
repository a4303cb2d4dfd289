//! Building of books from games: reading on all cores, sorting in bounded memory, merging into records. The intermediate
//! tuples, and groups of them, can be written and read, so that another system can do the sorting.

mod intake;
mod job;
mod plan;
#[cfg(test)]
mod tests;

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use chuhe_games::replace::replace;
use indicatif::ProgressBar;

use self::intake::{Done, Intake, bytes};
use self::job::Job;
pub use self::plan::{Plan, Report};
use self::plan::{has_ending, nothing};
use crate::columns::{self, GroupRow, Kind, Writer};
use crate::group::Group;
use crate::tuple::Tuple;

/// Builds the book `out` from `inputs`: games of any format and files of tuples (`.tuples`, `.parquet`), or files of groups
/// (`.parquet`). Errors of single games are reported to `tell`.
///
/// # Errors
/// If an input or a run cannot be read, or the book cannot be written. Finished runs are kept.
pub fn build(
    plan: &Plan,
    inputs: &[PathBuf],
    out: &Path,
    bar: &ProgressBar,
    tell: &mut dyn FnMut(&str),
) -> Result<Report> {
    refuse_filters_of_games(plan, inputs)?;
    if are_groups(inputs)? {
        return build_of_groups(plan, inputs, out, bar);
    }
    let mut job = Job::<Tuple>::begin(plan, inputs, out)?;
    let done = job.take_done();
    let mut intake = Intake::new(plan, done, &mut job, bar, tell);
    intake.read(inputs)?;
    let report = intake.into_done().report;
    job.finish(out, report)
}

/// Writes the tuples of `inputs` to `out`, in the order of the inputs, instead of building a book: as Parquet if the
/// name ends with `.parquet`, otherwise as `.tuples`.
///
/// # Errors
/// If an input cannot be read, or the file cannot be written; an old file stays then.
pub fn write_tuples(
    plan: &Plan,
    inputs: &[PathBuf],
    out: &Path,
    bar: &ProgressBar,
    tell: &mut dyn FnMut(&str),
) -> Result<Report> {
    refuse_filters_of_games(plan, inputs)?;
    ensure!(!are_groups(inputs)?, "groups of moves cannot be taken apart into tuples");
    replace(out, |file| {
        let place = || out.display().to_string();
        let mut read = |put: &mut dyn FnMut(&[Tuple]) -> Result<()>| -> Result<Report> {
            let mut put = |tuples: &[Tuple]| put(tuples).with_context(place);
            let mut intake = Intake::new(plan, Done::default(), &mut put, bar, tell);
            intake.read(inputs)?;
            let report = intake.into_done().report;
            ensure!(report.tuples > 0, nothing(plan));
            Ok(report)
        };
        match out.extension().and_then(|ending| ending.to_str()) {
            Some("parquet") => {
                let mut rows = Writer::new(file).with_context(place)?;
                let report = read(&mut |tuples| rows.push(tuples))?;
                Ok((rows.finish().with_context(place)?, report))
            }
            Some("tuples") => {
                let mut bytes = BufWriter::new(file);
                let report = read(&mut |tuples| Ok(bytes.write_all(bytemuck::cast_slice(tuples))?))?;
                Ok((bytes.into_inner().with_context(place)?, report))
            }
            _ => bail!("{}: ends neither with .parquet nor with .tuples", place()),
        }
    })
}

/// Rejects filters of games for inputs of tuples, which no longer know their games.
fn refuse_filters_of_games(plan: &Plan, inputs: &[PathBuf]) -> Result<()> {
    let moves = inputs.iter().find(|path| has_ending(path, "tuples") || has_ending(path, "parquet"));
    let is_filtered =
        plan.side.is_some() || plan.player.is_some() || plan.unique || plan.variations || !plan.outcomes.is_empty();
    let Some(moves) = moves.filter(|_| is_filtered) else { return Ok(()) };
    bail!(
        "{}: --colour, --player, --result, --dedup and --variations are for games: these moves do not know theirs any more",
        moves.display()
    )
}

/// Whether the inputs are groups. Groups cannot be mixed with other inputs.
fn are_groups(inputs: &[PathBuf]) -> Result<bool> {
    let is_groups = |path: &PathBuf| Ok(has_ending(path, "parquet") && columns::kind_of(path)? == Kind::Groups);
    let kinds = inputs.iter().map(is_groups).collect::<Result<Vec<_>>>()?;
    if let (Some(groups), Some(other)) = (kinds.iter().position(|it| *it), kinds.iter().position(|it| !it)) {
        let [groups, other] = [groups, other].map(|index| inputs[index].display());
        bail!("{groups} holds groups of moves, {other} does not: build two books and merge them");
    }
    Ok(kinds.contains(&true))
}

fn build_of_groups(plan: &Plan, inputs: &[PathBuf], out: &Path, bar: &ProgressBar) -> Result<Report> {
    let mut job = Job::<Group>::begin(plan, inputs, out)?;
    let mut done = job.take_done();
    bar.set_length(bytes(inputs));
    for path in &inputs[done.inputs..] {
        bar.set_position(bytes(&inputs[..done.inputs]));
        columns::for_each_block(path, |rows: &[GroupRow]| {
            let wanted = rows.iter().filter_map(|row| wanted_group(plan, row).transpose());
            let wanted = wanted.collect::<Result<Vec<_>>>().with_context(|| path.display().to_string())?;
            let games = wanted.iter().map(Group::games);
            done.report.tuples = games.fold(done.report.tuples, u64::saturating_add);
            job.take_items(&wanted)
        })?;
        done.inputs += 1;
        job.note_if_worth_it(&done)?;
    }
    bar.finish_and_clear();
    job.finish(out, done.report)
}

/// Returns a group if the plan selects it. If it selects only a part of the group, this is an error.
fn wanted_group(plan: &Plan, row: &GroupRow) -> Result<Option<Group>> {
    let mut group = row.group;
    if plan.only_finished {
        group.counts[3] = 0;
    }
    let plies = plan.min_ply..plan.max_ply;
    let (first, last) = row.plies;
    let (lowest, highest) = row.ratings;
    if group.games() == 0 || last < plies.start || first >= plies.end || highest < plan.min_rating {
        return Ok(None);
    }
    let from_tuples = "leave the others out when the tuples are written";
    ensure!(
        plies.contains(&first) && plies.contains(&last),
        "a group of plies {first} to {last}, and not all of --min-ply {} to --max-ply {} are wanted: {from_tuples}",
        plies.start,
        plies.end
    );
    ensure!(
        lowest >= plan.min_rating,
        "a group of ratings {lowest} to {highest}, and --min-rating is {}: {from_tuples}",
        plan.min_rating
    );
    Ok(Some(group))
}
