//! The journal as the schema and the manual describe it, and the standing for programs.

#[path = "support/arena.rs"]
mod arena;
#[cfg(unix)]
#[path = "support/watching.rs"]
mod watching;

use std::fs;

use arena::Arena;
use serde_json::{Map, Value};
#[cfg(unix)]
use watching::Running;

const PAIR: &str = "-engine cmd={zoo} name=A args=ucci_score=30_comments -engine cmd={zoo} name=B args=uci_illegal-pv proto=uci -each \
                    nodes=100 -maxmoves 4";

fn schema() -> Value {
    serde_json::from_str(include_str!("../journal.schema.json")).unwrap()
}

/// Returns why a value does not conform to a schema; empty if it does. Knows the words of JSON Schema that ours uses.
fn faults(schema: &Value, root: &Value, value: &Value, place: &str) -> Vec<String> {
    let schema = match schema.get("$ref").and_then(Value::as_str) {
        Some(target) => root.pointer(target.trim_start_matches('#')).expect("the schema has what it refers to"),
        None => schema,
    };
    let known = [
        "$schema",
        "$defs",
        "title",
        "description",
        "type",
        "oneOf",
        "enum",
        "pattern",
        "items",
        "required",
        "properties",
        "additionalProperties",
    ];
    let words = schema.as_object().unwrap();
    assert!(words.keys().all(|word| known.contains(&word.as_str())), "{place}: {:?}", words.keys());
    let mut found = vec![];
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let is_kind = |wanted: &Value| match wanted {
        Value::Array(kinds) => kinds.iter().any(|one| one == kind),
        one => one == kind,
    };
    if words.get("type").is_some_and(|wanted| !is_kind(wanted)) {
        found.push(format!("{place} is {kind}"));
    }
    if words.get("enum").is_some_and(|choices| !choices.as_array().unwrap().contains(value)) {
        found.push(format!("{place}: {value} is not a choice"));
    }
    if let (Some(pattern), Some(text)) = (words.get("pattern").and_then(Value::as_str), value.as_str())
        && !regex::Regex::new(pattern).unwrap().is_match(text)
    {
        found.push(format!("{place}: {text:?} is not {pattern}"));
    }
    if let Some(choices) = words.get("oneOf").and_then(Value::as_array) {
        let fits = choices.iter().filter(|choice| faults(choice, root, value, place).is_empty()).count();
        if fits != 1 {
            let why: Vec<String> = choices.iter().flat_map(|choice| faults(choice, root, value, place)).collect();
            found.push(format!("{place} fits {fits} of the choices: {why:?}"));
        }
    }
    if let (Some(items), Some(values)) = (words.get("items"), value.as_array()) {
        found.extend(values.iter().flat_map(|item| faults(items, root, item, &format!("{place}[]"))));
    }
    if let Some(object) = value.as_object() {
        let no_properties = Map::new();
        let properties = words.get("properties").and_then(Value::as_object).unwrap_or(&no_properties);
        for name in words.get("required").and_then(Value::as_array).into_iter().flatten() {
            if !object.contains_key(name.as_str().unwrap()) {
                found.push(format!("{place} has no {name}"));
            }
        }
        for (name, value) in object {
            match properties.get(name) {
                Some(schema) => found.extend(faults(schema, root, value, &format!("{place}.{name}"))),
                None if words.get("additionalProperties") == Some(&Value::Bool(false)) => {
                    found.push(format!("{place}.{name} is unknown"));
                }
                None => {}
            }
        }
    }
    found
}

/// Returns the faults of a journal.
fn faults_of(journal: &str) -> Vec<String> {
    let schema = schema();
    let line = |line: &str| faults(&schema, &schema, &serde_json::from_str(line).unwrap(), "line");
    journal.lines().flat_map(line).collect()
}

#[test]
fn real_journals_conform_to_the_schema() {
    let arena = Arena::new();
    fs::write(arena.path("o.pgn"), "[Opening \"centre\"]\n\n1. h2e2 h9g7 *\n").unwrap();
    let lines = [
        format!("{PAIR} -openings file={{}}/o.pgn -pgnout {{}}/g.pgn match_line=^info"),
        PAIR.replace("nodes=100", "tc=60+1"),
        format!("{} -recover", PAIR.replace("uci_illegal-pv", "uci_dies_wails_from=2")),
        PAIR.replace("ucci_score=30", "ucci_draw").replace("uci_illegal-pv", "uci_draw"),
    ];
    for (line, number) in lines.iter().zip(1..) {
        // An underscore is a space in the words of these tests.
        let mut command = arena.command(&format!("{} -journal {{}}/j{number}", line.replace("match_line=^info", "")));
        if line.contains("match_line") {
            command =
                arena.command(&format!("{PAIR} -openings file={{}}/o.pgn -journal {{}}/j{number} -pgnout {{}}/g.pgn"));
            command.arg("match_line=^info");
        }
        assert!(command.output().unwrap().status.success(), "{line}");
        let journal = arena.read(&format!("j{number}"));
        assert_eq!((faults_of(&journal), journal.lines().count()), (vec![], 3), "{line}");
    }
    let first = arena.read("j1");
    for part in ["\"pv\":\"a0a1\"", "\"opening_moves\":[\"h2e2\"", "\"illegal_pv\":", "\"lines\":[", "\"hashfull\":12"]
    {
        assert!(first.contains(part), "{part}: {first}");
    }
    // The test finds what does not conform.
    for (was, is) in [("\"round\":1", "\"round\":\"1\""), ("\"red\":", "\"white\":"), ("\"MaxMoves\"", "\"Boredom\"")] {
        let spoilt = first.replacen(was, is, 1);
        assert!(spoilt != first && !faults_of(&spoilt).is_empty(), "{is}");
    }
}

#[cfg(unix)]
#[test]
fn games_under_way_conform_to_the_schema() {
    let arena = Arena::new();
    let line = PAIR.replace("score=30", "score=30_late=20").replace("nodes=100", "tc=60+1");
    let _match = Running::play(&arena, &format!("{line} -rounds 500 -concurrency 2 -force"), "j");
    // A state that is being rewritten is not a state.
    let lines = loop {
        let text = arena.read("j.live");
        let lines: Vec<Value> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        if lines.len() == 4 && lines[0]["live"] == lines[3]["end"] && lines[1]["moves"].as_array().is_some() {
            break lines;
        }
    };
    let schema = schema();
    let faults = |game: &Value| faults(&schema["$defs"]["live"], &schema, game, "game");
    assert_eq!(lines[1..3].iter().flat_map(faults).collect::<Vec<_>>(), [""; 0]);
    assert_eq!((&lines[0]["games"], &lines[2]["seat"]), (&2.into(), &2.into()), "{lines:?}");
    assert!(!faults(&lines[0]).is_empty());
}

#[test]
fn the_manual_names_every_field_of_the_schema() {
    fn fields(schema: &Value, into: &mut Vec<String>) {
        if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
            for (name, schema) in properties {
                into.push(name.clone());
                fields(schema, into);
            }
        }
        schema.get("items").into_iter().for_each(|items| fields(items, into));
        for classes in schema.get("enum").and_then(Value::as_array).into_iter().flatten() {
            into.push(classes.as_str().unwrap().to_owned());
        }
    }
    let (schema, mut all) = (schema(), vec![]);
    for part in ["header", "game", "live"] {
        fields(&schema["$defs"][part], &mut all);
    }
    assert!(all.len() > 60, "{all:?}");
    for language in ["en", "zh"] {
        let path = format!("{}/../../docs/{language}/src/journal.md", env!("CARGO_MANIFEST_DIR"));
        let page = fs::read_to_string(path).unwrap();
        for field in &all {
            assert!(page.contains(&format!("`{field}`")), "{language}: {field}");
        }
        let rows = page.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
        for row in rows {
            assert!(all.iter().any(|field| field == row), "{language}: {row} is not in the schema");
        }
    }
}

#[test]
fn programs_read_the_standing() {
    let arena = Arena::new();
    let pair = "-engine cmd={zoo} name=A,1 args=ucci_score=30 -engine cmd={zoo} name=B args=uci_resign_from=3 proto=uci -each nodes=100 \
                -maxmoves 15";
    arena.play_to(4, &format!("{pair} -rounds 2 -openings file={{openings}} -sprt elo0=0 elo1=1 -journal {{}}/j"));
    let standing: Value = serde_json::from_str(&arena.play("stats {}/j --json")).unwrap();
    assert_eq!((&standing["games"], &standing["planned"]), (&4.into(), &4.into()), "{standing}");
    let first = &standing["engines"][0];
    assert_eq!((&first["name"], &first["wins"], &first["points"]), (&"A,1".into(), &4.into(), &4.0.into()));
    assert_eq!((&first["elo"], &first["elo_error"]), (&Value::Null, &Value::Null), "all were won");
    assert_eq!((&first["averages"]["depth"], &first["averages"]["nodes_per_move"]), (&3.0.into(), &77.into()));
    assert_eq!(standing["encounters"][0]["pentanomial"], serde_json::json!([0, 0, 0, 0, 2]));
    assert_eq!((&standing["sprt"]["decision"], &standing["endings"]["Resignation"]), (&"open".into(), &4.into()));
    let table = arena.play("stats {}/j --csv");
    let rows: Vec<&str> = table.lines().collect();
    assert!(rows[0].starts_with("rank,name,games,wins,losses,draws,points,score,elo,"), "{table}");
    assert!(rows[1].starts_with("1,\"A,1\",4,4,0,0,4,1.0000,,,") && rows.len() == 3, "{table}");
}

#[test]
fn averages_are_in_text_and_report() {
    let arena = Arena::new();
    arena.play(&format!("{PAIR} -journal {{}}/j"));
    assert!(arena.play("stats {}/j").contains("\nAverages of A: depth 3.0, 77 nodes, "));
    arena.play("report {}/j {}/r.html");
    let report = arena.read("r.html");
    assert!(
        report.contains("\"nodes_per_move\":77") && report.contains("\"variations\":[{\"index\":0,\"moves\":\"a0a1\"")
    );
}
