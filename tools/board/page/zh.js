/* 页面的全部中文文字。 */

export const CHINESE = {
  "view-play": "对弈", "view-analyse": "分析", "view-watch": "观战",
  "settings": "设置", "language": "语言", "keys": "快捷键", "close": "关闭", "cancel": "取消", "stop": "停止", "begin": "开始", "on": "开", "off": "关",
  "red": "红方", "black": "黑方", "random": "随机", "you": "你", "player": "棋手", "draw": "和棋",
  "board": "棋盘", "flip": "翻转棋盘", "go-first": "回到开局", "go-back": "后退一步", "go-on": "前进一步", "go-last": "到最后局面", "replay": "自动播放",
  "type-a-move": "输入着法", "move-hint": "炮二平五、h2e2", "no-moves": "还没有着法。", "empty": "空",
  "taken-up": "{piece}：{squares}", "spoken-move": "{side}：{move}，{piece}到 {square}{takes}", "spoken-takes": "，吃{piece}",
  "piece-K": "红帅", "piece-A": "红仕", "piece-B": "红相", "piece-N": "红马", "piece-R": "红车", "piece-C": "红炮", "piece-P": "红兵",
  "piece-k": "黑将", "piece-a": "黑士", "piece-b": "黑象", "piece-n": "黑马", "piece-r": "黑车", "piece-c": "黑炮", "piece-p": "黑卒",
  "seconds": "{n} 秒", "minutes": "{n} 分钟", "plies": "{n} 步",

  "notation": "着法", "notation-iccs": "坐标", "notation-chinese": "中文", "notation-wxf": "WXF", "pieces": "棋子", "pieces-character": "帥 車 馬", "pieces-letter": "字母",
  "board-wood": "木纹", "board-paper": "纸面", "theme": "配色", "theme-auto": "跟随系统", "theme-light": "浅色", "theme-dark": "深色", "sounds": "声音", "arrows": "箭头", "motion": "走子动画",

  "new-game": "新对局", "opponent": "对手", "at-a-level": "按等级分", "full-strength": "全力", "elo": "{n} 分", "time": "用时", "time-movetime": "每步限时", "time-clock": "双方棋钟", "time-depth": "固定深度", "time-nodes": "固定结点数",
  "seconds-a-move": "秒", "minutes-a-game": "分钟", "increment": "每步加秒", "depth": "深度", "nodes": "结点数", "your-colour": "你执", "from": "开始于", "initial-position": "初始局面", "shown-position": "当前局面",
  "rules": "循环规则", "rules-asian": "亚洲规则", "rules-league": "电脑联赛规则", "rules-pikafish": "皮卡鱼规则", "rules-chinese": "中国规则", "rules-checkban": "仅禁长将", "rules-noban": "重复即和",
  "takeback": "悔棋", "hint": "提示", "offer-draw": "提和", "resign": "认输", "move-now": "立即走子", "accept-draw": "同意和棋", "analyse-game": "分析本局",
  "your-move": "轮到你走：{side}。", "in-check": "你被将军。", "engine-thinks": "{engine} 正在思考。", "thinks": "正在思考，深度 {depth}。", "browsing": "正在看以前的局面。", "waiting-for-connection": "等待连接。",
  "draw-will-be-offered": "提和将随你的下一步棋发出。", "engine-offers-draw": "{engine} 提和。走子即为拒绝。", "draw-declined": "{engine} 不同意和棋。", "hint-says": "提示：{move}（{score}）",
  "loses-by-repetition": "红色标记的着法会造成循环而判负（{rules}）。", "rules-in-force": "循环规则：{rules}",
  "ended-red": "红方胜：{reason}。", "ended-black": "黑方胜：{reason}。", "ended-drawn": "和棋：{reason}。",
  "reason-mate": "将死", "reason-stalemate": "困毙", "reason-repetition": "循环", "reason-move_limit": "步数限制", "reason-no_attackers": "双方都无进攻子力", "reason-resignation": "认输", "reason-agreement": "双方同意", "reason-time": "超时", "reason-engine_failed": "引擎出错",
  "loop-repeats": "决定胜负的循环：", "loop-victims": "被捉：{squares}", "loop-ending": "{rules}：{ending}。",
  "conduct-idle": "没有将军也没有捉子", "conduct-attack": "有攻击，但按规则不算捉", "conduct-chase": "步步捉子（长捉）", "conduct-chase_of_pinned_rook": "步步捉被牵制的车", "conduct-check": "步步将军（长将）",
  "loop-perpetual-check": "长将判负", "loop-perpetual-chase-of-a-pinned-rook": "长捉被牵制的车判负", "loop-perpetual-chase": "长捉判负", "loop-perpetual-attack": "长打判负", "loop-mutual-perpetual-check": "双方长将作和", "loop-mutual-perpetual-chase": "双方长捉作和", "loop-mutual-perpetual-attack": "双方长打作和", "loop-repetition": "循环作和",

  "engine": "引擎", "engine-on": "开关引擎", "lines": "变例数", "threads": "线程", "hash": "置换表 MiB", "add-engine": "再加一个引擎", "remove-engine": "移除此引擎", "engine-facts": "深度 {depth}{seldepth} · {nodes} 节点 · {nps}/秒 · {time} 秒",
  "wdl-win": "红胜 {share}", "wdl-draw": "和棋 {share}", "wdl-loss": "黑胜 {share}", "value-bar": "红方期望 {share}", "analysis-idle": "分析满一小时，已自动停止。",
  "comment": "注释", "comment-hint": "给这步棋写注释", "promote": "升为主变", "delete-from-here": "从此处删除",
  "book-and-tables": "开局库与残局库", "not-known": "开局库和残局库中没有这个局面。", "column-move": "着法", "column-share": "比例", "column-weight": "权重", "column-value": "分值", "column-result": "结果", "column-plies": "步数", "column-accuracy": "准确率",
  "tablebase-win": "胜", "tablebase-loss": "负", "tablebase-open": "取决于循环规则", "tablebase-unknown": "未知", "tablebase-draw": "和", "tablebase-plies": "还有 {n} 步结束",
  "review": "整局分析", "review-begin": "分析所有着法", "review-time": "每步", "review-100": "0.1 秒", "review-500": "0.5 秒", "review-2000": "2 秒", "review-10000": "10 秒", "review-starts": "开始。", "review-goes-on": "从第 {done} / {total} 个局面继续。", "review-progress": "{done} / {total}，还需 {time}",
  "inaccuracy": "缓着", "mistake": "失误", "blunder": "败着", "inaccuracies": "缓着", "mistakes": "失误", "blunders": "败着", "curve": "逐步的红方期望",

  "matches-of-the-arena": "擂台比赛", "engine-against-engine": "引擎对战", "journal": "比赛", "refresh": "刷新", "no-journals": "没有比赛记录。启动程序时请给出比赛所在文件夹：--journals 文件夹。", "no-journals-yet": "文件夹中还没有比赛记录（名称.journal 文件），出现后页面会自动打开。", "follow-live": "跟随比赛", "under-way": "进行中",
  "game-says": "第 {n} 局：{how}", "games-played": "{n}{total} 局",
  "ending-Mate": "将死", "ending-Stalemate": "困毙", "ending-Repetition": "循环", "ending-MoveLimit": "步数限制", "ending-NoAttackers": "无进攻子力", "ending-Resignation": "认输", "ending-Agreement": "议和", "ending-DrawAdjudication": "判和", "ending-WinAdjudication": "判胜", "ending-MaxMoves": "步数过多", "ending-TimeLoss": "超时", "ending-Crash": "崩溃", "ending-Killed": "被终止", "ending-Hang": "无应答", "ending-IllegalMove": "非法着法", "ending-BannedMove": "禁着", "ending-NoHandshake": "握手失败", "ending-ProtocolViolation": "违反协议", "ending-Interrupted": "中止",

  "set-up": "摆棋", "set-up-help": "先选棋子再点棋盘，或直接拖动棋子。拖到棋盘外即移除。", "eraser": "移除棋子", "red-moves": "红先", "black-moves": "黑先", "fen": "FEN", "clear": "清空", "analyse-it": "分析", "play-it": "对弈",
  "position-good": "局面可以使用。", "position-bad": "局面不能使用：{why}",

  "load": "打开棋谱", "load-help": "PGN、XQF、CBR、CBL、CHE、MXQ、DhtmlXQ、着法列表、炮二平五、FEN、比赛记录、含棋局的链接均可。文件也可以直接拖到页面上。", "paste-hint": "在此粘贴棋谱或局面", "read-it": "读取", "choose-file": "选择文件", "choose": "选择", "games-found": "共 {n} 局", "loaded": "已打开：{n} 步。",
  "save": "保存与分享", "game-as-pgn": "棋谱（PGN）", "position-as-fen": "局面（FEN）", "picture": "棋盘图片", "link": "含棋谱的链接", "download": "保存", "copy": "复制", "svg": "SVG", "png": "PNG", "copied": "已复制。", "copy-yourself": "浏览器不允许复制，文字已选中。", "saved": "已保存：{name}。",

  "engines": "引擎", "engines-help": "本机上支持 UCCI 或 UCI 的程序。楚河引擎已内置。", "no-engines": "还没有其他引擎。", "add-an-engine": "添加引擎", "save-engines": "保存", "engines-saved": "引擎已保存。", "engines-file": "保存在 {file}", "engine-name": "名称", "command": "命令", "arguments": "参数", "folder": "文件夹", "engine-options": "选项", "options-hint": "Hash = 64", "protocol": "协议", "protocol-auto": "自动识别", "protocol-ucci": "UCCI", "protocol-uci": "UCI", "test-engine": "测试", "testing": "正在测试。", "engine-answers": "{name} 应答：{protocol}，{ms} 毫秒。", "engine-fails": "引擎没有正确应答。",

  "key-steps": "后退或前进一步", "key-ends": "开局或最后局面", "key-siblings": "切换变例", "key-space": "提示或立即走子；开关引擎；自动播放", "key-undo": "悔棋", "key-flip": "翻转棋盘", "key-load": "打开", "key-save": "保存", "key-views": "对弈、分析、观战", "key-board": "到棋盘：方向键移动光标，回车拿起和放下", "key-help": "本列表",

  "connection-lost-wait": "连接已断开，正在重试。如果程序已经退出，请重新启动并打开它给出的地址。",
  "too-many-pages": "打开的棋盘页面太多，请关闭一个。", "other-start": "程序已重新启动，请打开它显示的新网址。",
  "error-connection_lost": "连接已断开。", "error-bad_message": "服务器不理解这个请求。", "error-unknown_type": "服务器不认识这个请求。", "error-bad_position": "这个局面不能使用。", "error-bad_move": "这里不能这样走。", "error-bad_engine": "这个引擎不能使用。", "error-engine_failed": "引擎出错。", "error-too_many": "同时进行的太多。", "error-too_large": "内容太大。", "error-busy": "引擎正忙。", "error-not_found": "没有找到。", "error-io": "文件无法读写。", "error-unreadable": "其中没有找到棋谱或局面。", "error-cancelled": "已取消。",
};
