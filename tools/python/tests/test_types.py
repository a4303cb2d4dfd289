"""The type stubs say what the module has, and every public item is described."""

import ast
import inspect
from pathlib import Path

import pytest

import chuhe

STUB = ast.parse((Path(chuhe.__file__).parent / "__init__.pyi").read_text("utf-8"))
CLASSES = {node.name: node for node in STUB.body if isinstance(node, ast.ClassDef)}
FUNCTIONS = {node.name: node for node in STUB.body if isinstance(node, ast.FunctionDef)}
#: Items whose text must name a unit.
UNITS = {
    "Position.perft": "plies",
    "Position.evaluate": "centipawns",
    "Score.cp": "centipawns",
    "Score.mate": "moves",
    "Score.ban": "plies",
    "Engine": "MiB",
    "Engine.search": "milliseconds",
    "Line.depth": "plies",
    "Line.seldepth": "plies",
    "Line.wdl": "thousandths",
    "Line.time": "milliseconds",
    "SearchResult.time": "milliseconds",
    "SearchResult.hashfull": "thousandths",
    "SearchResult.depth": "plies",
    "BookMove.depth": "plies",
    "Tablebase.distance": "plies",
    "ucci.Info": "milliseconds",
    "ucci.UcciEngine.search": "milliseconds",
    "ucci.popen": "seconds",
}


def parameters(node: ast.FunctionDef) -> list:
    every = node.args.posonlyargs + node.args.args + node.args.kwonlyargs
    return [argument.arg for argument in every if argument.arg != "self"]


def described(node: ast.ClassDef) -> set:
    fields = {item.target.id for item in node.body if isinstance(item, ast.AnnAssign)}
    return fields | {item.name for item in node.body if isinstance(item, ast.FunctionDef)}


def public(kind: type) -> set:
    return {name for name in vars(kind) if not name.startswith("_")}


def test_the_stub_has_every_name_of_the_module() -> None:
    names = {node.target.id for node in STUB.body if isinstance(node, ast.AnnAssign)}
    assert names | set(CLASSES) | set(FUNCTIONS) | {"ucci"} == set(chuhe.__all__)


@pytest.mark.parametrize("name", sorted(set(CLASSES) - {"Error"}))
def test_classes_have_the_items_of_the_stub(name: str) -> None:
    kind, node = getattr(chuhe, name), CLASSES[name]
    assert {item for item in described(node) if not item.startswith("_")} == public(kind)
    for method in node.body:
        if isinstance(method, ast.FunctionDef) and not method.name.startswith("__"):
            there = [each for each in inspect.signature(getattr(kind, method.name)).parameters if each != "self"]
            assert parameters(method) == there, f"{name}.{method.name}"


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_functions_have_the_parameters_of_the_stub(name: str) -> None:
    assert parameters(FUNCTIONS[name]) == list(inspect.signature(getattr(chuhe, name)).parameters)


def test_every_item_has_a_text() -> None:
    items = {name: getattr(chuhe, name) for name in chuhe.__all__ if callable(getattr(chuhe, name))}
    for module, kinds in ((chuhe, items), (chuhe.ucci, {name: getattr(chuhe.ucci, name) for name in chuhe.ucci.__all__})):
        for name, item in kinds.items():
            assert item.__doc__, f"{module.__name__}.{name}"
            if inspect.isclass(item) and module is chuhe and name != "Error":
                for part in public(item):
                    assert inspect.getattr_static(item, part).__doc__, f"{name}.{part}"


@pytest.mark.parametrize("path", sorted(UNITS))
def test_units_are_named(path: str) -> None:
    item = chuhe
    for part in path.split("."):
        item = inspect.getattr_static(item, part)
    assert UNITS[path].lower() in item.__doc__.lower()
