//! Chinese texts of the help.

use chuhe::help::Texts;

/// Every sub-command and argument.
pub(crate) const TEXTS: Texts = &[
    ("", "生成训练楚河的神经网络所用的自对弈。选项以一个或两个短横线开头"),
    (
        "...",
        "示例：
  chuhe-selfplay generate -games 120 -seed 1 -soft 100 -out games   下 120 盘快棋
  chuhe-selfplay help generate                                      显示子命令的帮助

手册：docs/zh/src/network.md",
    ),
    ("generate", "自对弈并保存棋局；中止以后重复同一命令就会继续。选项重复时，以最后一个为准"),
    ("generate games", "盘数，为整数个文件"),
    ("generate seed", "随机种子"),
    ("generate out", "存放的文件夹 [默认：环境变量 CHUHE_DATA]"),
    ("generate soft", "软限：达到这个结点数的那一层是最后一层"),
    ("generate hard", "硬限，以结点数计 [默认：软限的 8 倍]"),
    ("generate table", "置换表大小，以 MiB 为单位"),
    ("generate rules", "棋规：asian、league、pikafish、chinese、checkban 或 noban"),
    ("generate plies", "判和的总步数"),
    ("generate opening", "评判开局的搜索的软限，以结点数计 [默认：每步软限的 8 倍]"),
    ("generate won", "一方胜势的分值下限，以厘兵计"),
    ("generate wonplies", "双方的搜索连续多少步都认为同一方胜势，就判这一方胜"),
    ("generate network", "局面评价：网络文件，embedded（程序内置的网络）或 classical（手工编写的评价函数）"),
    ("generate commit", "写入文件头的引擎提交 [默认：编译时的环境变量 CHUHE_COMMIT]"),
    ("generate chunk", "每个文件的盘数 [默认：20,000，盘数较少时为全部]"),
    ("generate first", "第一盘的编号，是每个文件盘数的倍数"),
    ("generate shard", "只做一部分文件：从第 i 个起每 n 个做一个"),
    ("generate threads", "同时进行的盘数 [默认：处理器的个数]"),
    ("generate every", "不在终端中运行时，每隔多少秒报告一行进度"),
    ("stats", "显示对局文件的统计数字"),
    ("stats manifest", "改为以 TOML 格式显示重做对局所需的内容：种子、提交、网络、命令和校验值"),
    ("stats paths", "对局文件或其文件夹 [默认：环境变量 CHUHE_DATA]"),
    ("merge", "把各部分的对局文件合并到一个文件夹"),
    ("merge out", "合并后的文件夹 [默认：环境变量 CHUHE_DATA]"),
    ("merge pack", "打包：只占一半的字节，各命令都能读取，但较慢"),
    ("merge threads", "同时处理的文件数 [默认：处理器的个数]"),
    ("merge sources", "对局文件或其文件夹"),
    ("unpack", "把打包的对局文件还原到一个文件夹，与生成时相同"),
    ("unpack out", "还原后的文件夹 [默认：环境变量 CHUHE_DATA]"),
    ("unpack threads", "同时处理的文件数 [默认：处理器的个数]"),
    ("unpack sources", "对局文件或其文件夹"),
    ("verify", "检查对局文件的校验和、着法和结果，并重下其中几盘棋"),
    ("verify replays", "每个文件重下的盘数"),
    ("verify network", "对局所用的网络文件 [默认：程序内置的网络]"),
    ("verify paths", "对局文件或其文件夹 [默认：环境变量 CHUHE_DATA]"),
];
