//! Chinese descriptions of the options, by name.

/// Returns the Chinese description of an announced option; `name` is its name in UCCI, or in UCI if only that has one.
pub fn about_in_chinese(name: &str) -> Option<&'static str> {
    ABOUT.iter().find(|(option, _)| *option == name).map(|(_, about)| *about)
}

/// Returns the names of the described options, in their order.
#[cfg(test)]
pub(super) fn described() -> impl Iterator<Item = &'static str> {
    ABOUT.iter().map(|(option, _)| *option)
}

/// The names in the order of the table of options. The terms are those of UCCI's own text.
const ABOUT: &[(&str, &str)] = &[
    ("usemillisec", "`go` 的时间单位为毫秒；关闭后以秒为单位"),
    (
        "batch",
        "批处理模式：思考中收到的指令按顺序排队（UCI 下总是如此），可以从文件重定向输入；遇到 `stop`、`ponderhit`、`quit` 时结束没有限制的思考",
    ),
    ("debug", "调试模式：报告每条指令如何理解，以及不认识的指令；在终端中默认开启"),
    ("ponder", "界面将使用后台思考，引擎每步可以多用一点时间"),
    ("hashsize", "置换表大小，以 MiB 为单位；0：按内存自动分配；启动后第一次设定的大小若内存不足，则取放得下的最大值"),
    ("threads", "搜索线程数；0：每个物理核心一个线程"),
    ("repetition", "循环局面（长将、长捉等）的裁决规则"),
    ("movelimit", "自然限着：双方连续多少回合没有吃子判和；0：按规则本身的规定"),
    ("promotion", "改良玩法：仕（士）相（象）在己方底线可以升变成兵（卒）（`d0d0`），兵（卒）不足五个时有效"),
    ("rankbase", "着法中最下一行的编号；`auto`：根据收到的着法判断"),
    ("UCI_Variant", "棋种；设定过此项的界面，则行号从 1 开始，除非收到的着法表明从 0 开始"),
    ("multipv", "同时搜索并显示的最佳着法个数（多主变）"),
    ("pruning", "裁剪程度；`none`：不裁剪，同时另做正常搜索和杀棋搜索"),
    ("knowledge", "局面评价的知识量：`large` 神经网络，`medium` 手写评价函数，`small` 子力和位置，`none` 仅子力"),
    ("evalapi", "神经网络文件；`<embedded>` 或空值：使用程序内置的网络；其他引擎在此加载的动态库（DLL、.so）会被忽略"),
    (
        "randomness",
        "随机性：在与最佳着法相差不超过 0、5、15、40、100 或 250 厘兵的着法中随机选择；也会放宽开局库的 `best` 和 `margin` 选择",
    ),
    ("randomseed", "随机选择所用的种子；0：每次 `newgame` 换一个新种子"),
    ("style", "棋风：保守、均衡或冒进；影响和棋的价值和进攻的权重"),
    ("idle", "思考时留出的处理器空闲：0、25、50 或 75%"),
    ("usehash", "是否使用置换表"),
    ("limitstrength", "把棋力限制在 `elo`"),
    ("elo", "`limitstrength` 打开时的棋力；这是引擎自己的标度，未与人类等级分校准"),
    ("Skill Level", "`UCI_LimitStrength` 关闭时的棋力：0 到 19 相当于 `elo` 800 到 2700，20 为全力"),
    ("analysemode", "分析模式：不作随机选择，和棋对双方都计 0 分"),
    ("UCI_ShowWDL", "显示走棋方胜、和、负的概率（千分数），按计时对局的统计模型估计"),
    ("UCI_ShowCurrLine", "显示每个线程正在搜索的变例"),
    ("UCI_ShowRefutations", "对不是最佳的着法，显示其反驳"),
    ("UCI_Opponent", "对手，写作 `TITLE ELO computer NAME` 或 `TITLE ELO human NAME`；对手越强，和棋的价值越高"),
    ("UCI_EngineAbout", "程序名、版本和作者；只读"),
    ("nodestime", "每毫秒折合的结点数：时钟按结点数而不按时间走，单线程时结果可以重现；0：关闭"),
    ("newgame", "新局：清空置换表和历史表，重新打开开局库文件"),
    ("moveoverhead", "每步为通讯延迟预留的毫秒数"),
    ("logfile", "记录全部输入和输出的日志文件；空值：不记录"),
    ("usebook", "使用开局库；UCI 下默认关闭"),
    (
        "bookfiles",
        "开局库文件，用 `;` 隔开，按顺序使用第一个收录当前局面的文件；`<embedded>`：程序内置的开局库；空值：不使用开局库",
    ),
    ("useegtb", "使用残局库"),
    ("egtbpaths", "程序内置残局库以外的残局库目录，用 `;` 隔开；残局库由 `chuhe-endgame` 生成"),
    ("bookchoice", "开局库着法的选择：按权重随机，最佳，或在差距以内按权重随机"),
    ("bookmargin", "`bookchoice margin` 时与最佳开局库着法的最大差距，以厘兵为单位"),
    ("bookdepth", "到第几回合为止使用开局库"),
    ("bookminweight", "开局库着法的最低权重"),
    ("bookreserve", "走出一着后，开局库至少还应收录的步数"),
    ("giveupscore", "连续 `giveupmoves` 步都落后这么多厘兵就认输；0：从不认输"),
    ("giveupmoves", "认输前连续落后的步数（只计己方）"),
    ("acceptscore", "分值不高于此数时接受提和，以厘兵为单位"),
    ("offerscore", "双方的优势都不超过此数时才提和，以厘兵为单位"),
    ("offermoves", "提和前连续均势的步数（只计己方）；0：从不提和"),
    ("autoponder", "走棋后不等 `go ponder` 就自动后台思考，没有输出；有的比赛规则不允许"),
    ("forcedatonce", "计时对局中，只有一着可走时立即走棋，找到确定的杀棋后很快结束思考"),
    ("Clear Hash", "只清空置换表"),
];
