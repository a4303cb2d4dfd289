//! Endgame tablebases (EGTB) of results (WDL) and distances (DTC), and a draw rule for lone cannons. Independent of the search.
//!
//! ```
//! use chuhe::board::Position;
//! use chuhe::endgame::{Outcome, Tables};
//! let mut tables = Tables::empty();
//! assert_eq!(tables.add_folder("no such folder".as_ref()).len(), 1);
//! let bare = Position::from_fen("3k5/4a4/9/9/9/9/9/9/4A4/4KA3 b").unwrap();
//! assert_eq!(tables.outcome(&bare), Some(Outcome::Draw));
//! ```

mod archive;
mod best;
mod crowd;
mod defence;
mod distances;
mod error;
mod format;
mod index;
mod lone_cannon;
mod material;
mod results;
mod tables;

pub use archive::{is_packed, write_packed};
pub use defence::Defence;
pub use distances::{DISTANCES_EXTENSION, Distances, write_distances, write_distances_through, write_losses};
pub use error::{Fault, TableError};
pub use index::{Index, MOST_ACROSS, Place, Placement};
pub use lone_cannon::is_drawn_by_a_lone_cannon;
pub use material::{ATTACKERS, DEFENDERS, Force, Material, MaterialError};
pub use results::{Outcome, RESULTS_EXTENSION, Results, write_results};
pub use tables::Tables;
