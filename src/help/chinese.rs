//! The Chinese texts of the engine's own command line.

use super::translation::Texts;

/// Every sub-command and argument of `chuhe`.
pub const ENGINE: Texts = &[
    ("", "楚河：中国象棋引擎。不带命令时，通过标准输入输出使用 UCCI 和 UCI 协议"),
    (
        "...",
        "示例：
  chuhe              使用 UCCI 或 UCI 协议；在终端中输入 help 可列出命令
  chuhe bench        统计校验用的结点数
  chuhe help judge   显示子命令的帮助

手册：发布包和源代码中的 docs/zh 文件夹，以及 chuhe man | man -l -",
    ),
    ("cpu", "指定指令集（avx512、avx2、neon 或 scalar），默认使用本机最快的一种"),
    ("bench", "用单线程把一组固定局面搜索到固定深度；结点总数是引擎的校验值"),
    ("bench depth", "搜索深度（层）"),
    ("bench rules", "判断循环着法的棋规；棋规不同，校验值也不同"),
    ("bench network", "用指定的网络文件代替内置网络评估局面，校验值会随之改变"),
    ("bench knowledge", "局面评价，与选项 knowledge 相同：large 为神经网络，medium 为手写评价函数，校验值会随之改变"),
    ("completions", "输出指定 shell 的命令补全脚本"),
    ("completions shell", "shell 的名称"),
    ("contents", "列出内置数据：神经网络、开局库、残局库"),
    (
        "genfens",
        "生成双方大致均势的随机开局：数量 seed 种子 book 文件|None [plies 层数] [nodes 结点数] [limit 厘兵] [least 厘兵]",
    ),
    ("genfens network", "用指定的网络文件代替内置网络评估开局"),
    ("genfens words", "开局的数量和种类"),
    ("judge", "按棋规裁决棋局在最后一个局面的胜负，并说明理由：FEN 为一个参数，其后是着法"),
    ("judge rules", "棋规：asian（即 wxf，亚洲规则）、league、pikafish、chinese（中国规则）、checkban 或 noban"),
    ("judge at", "在局面第几次出现时裁决，代替棋规的规定"),
    ("judge loops", "裁决只走了一遍的循环：不论棋规如何规定，都在局面第二次出现时裁决"),
    ("judge file", "逐行裁决文件中的棋局，“-”表示标准输入：FEN 与着法之间用制表符或 moves 隔开"),
    ("judge fen", "局面，作为一个参数"),
    ("judge moves", "从该局面开始的着法，坐标、WXF 或中文记谱均可：h2e2、C2=5、炮二平五"),
    ("man", "以 man 格式输出本程序或子命令的手册页"),
    ("man command", "子命令的名称"),
    ("options", "列出两种协议中用户可以设置的选项"),
    ("options markdown", "以 Markdown 输出表格：英文（en）或中文（zh）"),
    ("perft", "统计着法树的叶结点数"),
    ("perft depth", "深度（层）"),
    ("perft fen", "局面，作为一个参数"),
];
