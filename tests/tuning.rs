//! The tuning build: every search parameter is an option, and setting it changes the search. There is only one test,
//! because parameters are global to the process.

mod support;

use chuhe::board::START_FEN;
use chuhe::engine::event::Command;
use chuhe::engine::options::{OPTIONS, OptionKind, registry};
use support::engine::depth;
use support::test_engine::TestEngine;

#[test]
fn every_parameter_is_an_option_that_the_search_obeys() {
    let parameters = &registry()[OPTIONS.len()..];
    assert!(parameters.len() > 30, "{} parameters", parameters.len());
    let nodes = |engine: &TestEngine| {
        engine.send(Command::SetOption { name: "newgame".to_owned(), value: "".into() });
        engine.position(START_FEN, "h2e2 h9g7 h0g2 b9c7");
        engine.go(depth(9)).nodes()
    };
    let engine = TestEngine::start();
    let plain = nodes(&engine);
    assert_eq!(nodes(&engine), plain);
    let mut obeyed = 0;
    for spec in parameters {
        let (Some(name), OptionKind::Spin { min, max, default, .. }) = (spec.ucci, spec.kind) else {
            panic!("{spec:?}");
        };
        assert!(spec.uci == Some(name) && (min..=max).contains(&default), "{spec:?}");
        let extremes = [min, max].map(|value| {
            engine.set(name, &value.to_string());
            nodes(&engine)
        });
        obeyed += usize::from(extremes != [plain; 2]);
        engine.set(name, &default.to_string());
        assert_eq!(nodes(&engine), plain, "{name} has its old value again");
    }
    // Some parameters have no effect in this position.
    assert!(obeyed * 4 >= parameters.len() * 3, "{obeyed} of {} parameters change anything", parameters.len());
}
