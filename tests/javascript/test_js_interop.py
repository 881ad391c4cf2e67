"""The compiler's helpers are known by their text; anything that only looks like them is ordinary code."""

from js_show import facts

from each_row import each_row

DEFAULT = """var __importDefault = (this && this.__importDefault) || function (mod) {
    return (mod && mod.__esModule) ? mod : { "default": mod };
};
"""
EXPORT_STAR = """var __exportStar = (this && this.__exportStar) || function(m, exports) {
    for (var p in m) if (p !== "default" && !Object.prototype.hasOwnProperty.call(exports, p)) __createBinding(exports, m, p);
};
"""


def test_default_imports():
    assert facts('"use strict";\n' + DEFAULT + 'const a_1 = __importDefault(require("a"));') == [
        "0.a_1 = {'default': import(a:default)}"
    ]


def test_star_exports():
    assert facts(EXPORT_STAR + '__exportStar(require("a"), exports);')[-1] == "export (all) = import(a)"


@each_row(
    "source",
    [
        DEFAULT.replace('"default": mod', '"default": evil(mod)'),
        "this.__importDefault = evil;\n" + DEFAULT,
        DEFAULT + "__importDefault = evil;\n",
        DEFAULT + "__import\\u0044efault = evil;\n",
    ],
)
def test_replaced_helpers_are_ordinary_code(source):
    assert facts(source + 'const a_1 = __importDefault(require("a"));')[-1] == "0.a_1 = 0.__importDefault(import(a))"
