//! Chinese texts of the help.

use chuhe::help::Texts;

/// The program and its arguments.
pub(crate) const TEXTS: Texts = &[
    ("", "在浏览器中显示棋盘：用楚河或其他引擎对弈、分析、打谱、观战"),
    (
        "...",
        "示例：
  chuhe-board                       在浏览器中对弈和分析
  chuhe-board --journals matches    同时观看 arena 的比赛
  chuhe-board --no-open --port 4000

手册：docs/zh/src/board.md",
    ),
    ("listen", "监听的地址；使用默认地址时，只有本机可以访问"),
    ("port", "监听的端口；0：任意空闲端口"),
    ("hosts", "除地址以外，浏览器可以用来访问的主机名；可以重复"),
    ("no_open", "只显示网址，不打开浏览器"),
    ("engines", "其他引擎的文件，可在页面上修改 [默认：设置文件夹中的 board.toml]"),
    ("journals", "arena 日志的文件夹，页面可以显示并跟踪其中的比赛"),
    ("book", "开局库文件，以 `;` 分隔"),
    ("egtb", "除内置残局库以外，残局库的文件夹，以 `;` 分隔"),
    ("idle", "引擎空闲多少秒以后结束"),
];
