//! Chinese texts of the help.

use chuhe::help::Texts;

/// Every sub-command and argument.
pub(crate) const TEXTS: Texts = &[
    ("", "用 chuhe-selfplay 的对局训练楚河的神经网络。选项以一个或两个短横线开头"),
    (
        "...",
        "示例：
  chuhe-trainer train -scale 430 -width 64 -epochs 3 -batch 256 -out run games   训练很小的网络
  chuhe-trainer help train                                                       显示子命令的帮助

手册：docs/zh/src/network.md",
    ),
    ("train", "训练网络；随时可以中止，重复同一命令就会继续"),
    ("train out", "存放检查点和损失的文件夹"),
    ("train seed", "随机种子"),
    ("train width", "累加器的宽度，32 的倍数"),
    ("train outputs", "输出桶：1 到 16 个，按棋子数选择；或 `material`：16 个，按车、马、炮选择"),
    ("train kings", "将（帅）位置桶数，按己方将（帅）的位置选择：1、3 或 6"),
    ("train result_share", "对局结果在训练目标中所占的比例，0 到 1，其余是搜索分值"),
    ("train last_result", "训练结束时对局结果所占的比例，由上一项均匀变化到此 [默认：始终不变]"),
    ("train newest", "训练的最后五分之一只学最新的局面（对局顺序中最后的这一部分），学习率为十分之一 [默认：各轮相同]"),
    ("train epochs", "训练的轮数"),
    ("train batch", "每一步最多的局面数；可学的局面更少时拒绝训练"),
    ("train decay", "权重衰减，乘以学习率，0 到 1"),
    ("train highest", "预热以后的学习率，0 到 1"),
    ("train lowest", "最后一步的学习率，0 到 1"),
    ("train warm_up", "预热的步数"),
    ("train seeds", "用几个相继的种子各训练一次，每次放在单独的文件夹里"),
    ("train from", "从这个网络开始，而不是从随机权重开始；新网络可以更宽，输出桶和将位桶可以更多"),
    ("train scale", "对数几率的单位，以厘兵计 [默认：开始时的网络的单位，或由对局结果拟合]"),
    ("train threads", "线程数，不影响结果 [默认：处理器的个数]"),
    ("train save", "两次写检查点之间的最短时间，以秒为单位"),
    ("train games", "对局文件或其文件夹"),
    ("quantise", "把检查点取整为引擎所用的整数，并显示两者相差多少"),
    ("quantise checkpoint", "训练的文件夹，或其检查点"),
    ("quantise out", "要写的网络文件"),
    ("quantise positions", "局面数，取自验证用的对局"),
    ("quantise games", "对局文件或其文件夹"),
    ("compare", "显示第二个网络与第一个相差多少；可以是检查点或取整后的网络"),
    ("compare first", "检查点或网络"),
    ("compare second", "第二个检查点或网络"),
    ("compare positions", "局面数，取自验证用的对局"),
    ("compare games", "对局文件或其文件夹"),
    ("refit", "由对局的分值拟合手工编写的评价函数（HCE）的权重，写进源文件"),
    ("refit source", "权重的源文件 `weights.rs`"),
    ("refit scale", "对数几率的单位，以厘兵计"),
    ("refit result", "对局结果在目标中所占的比例，0 到 1，其余是搜索分值"),
    ("refit draw", "把每个权重拉向旧值的力度，相当于这么多局面"),
    ("refit games", "对局文件或其文件夹"),
    ("wdl", "由对局结果拟合引擎的胜、和、负模型（WDL），写进源文件"),
    ("wdl source", "曲线的源文件 `wdl.rs`"),
    ("wdl games", "对局文件、其文件夹，或比赛的对局记录"),
    ("runs", "列出各次训练的形状、种子和损失，写成表格和图"),
    ("runs runs", "训练的文件夹，或其检查点"),
    ("runs out", "要写的文件，不带扩展名：表格为 `.csv`，图为 `.svg`"),
    ("ladder", "画出各代网络的棋力与代价"),
    ("ladder table", "各代的表格，以制表符分隔"),
    ("ladder out", "要写的图"),
];
