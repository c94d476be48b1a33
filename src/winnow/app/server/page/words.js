// All texts of the page, in one table: [English, Chinese]. What is not in it is a name or a value, and stays as it is.

const TEXTS = {
  skip: ["Skip to the talk", "跳到对话"],
  home: ["Home", "家"],
  user: ["Who speaks", "说话的人"],
  guest: ["guest", "访客"],
  copy: ["A copy: nothing real is switched", "模拟的家：不会动真的设备"],
  add_home: ["Add a home", "添加一个家"],
  added_home: ["{name} is here now: {devices} devices.", "{name} 已导入：{devices} 个设备。"],
  theme_auto: ["Light or dark: as the system", "明暗：跟随系统"],
  theme_light: ["Light", "浅色"],
  theme_dark: ["Dark", "深色"],
  other_language: ["中文", "English"],
  views: ["Views", "视图"],
  talk: ["Talk", "对话"],
  house: ["House", "家里"],
  why: ["How it came about", "来龙去脉"],
  why_short: ["Behind it", "来龙去脉"],
  memory: ["Memory", "记忆"],
  say: ["What should be done, or what would you like to know?", "要做什么，或者想知道什么？"],
  say_hint: ["Say what you want…", "说句话……"],
  send: ["Send", "发送"],
  look: ["Only look, do nothing", "只看不做"],
  welcome: ["Say something to your home. You see what was looked at, what was left out and why.", "对家里说句话，就能看到查了什么、去掉了什么、为什么。"],
  try_these: ["For example:", "例如："],
  try_off: ["turn off the {name}", "关掉{name}"],
  try_light: ["turn on the light", "打开灯"],
  try_lights: ["turn off all lights", "关掉所有的灯"],
  try_lock: ["unlock the {name}", "打开{name}"],
  try_warm: ["how warm is it in the {name}", "{name}现在多少度"],
  no_home: ["There is no home yet. Add one: an export of Home Assistant or SmartThings, as ZIP or JSON.", "还没有家。请添加一个：Home Assistant 或 SmartThings 的导出，ZIP 或 JSON。"],
  house_hint: ["Choose the room you stand in, and “the light” is that of the room.", "选择你所在的房间，“灯”就是那个房间的灯。"],
  here: ["you are here", "你在这里"],
  no_room: ["In no room", "没有房间"],
  more_things: ["{count} more", "另有 {count} 个"],
  offline: ["offline", "离线"],
  thinking: ["Looking…", "正在查……"],
  doing: ["Doing it…", "正在执行……"],
  yes: ["Yes, do it", "是，执行"],
  no: ["No", "不要"],
  left_alone: ["Left as it is.", "没有动。"],
  only_looked: ["Only looked at; nothing was done.", "只看了一下，什么都没做。"],
  would: ["It would be done: {what}.", "会执行：{what}。"],
  undo: ["Undo", "撤销"],
  nothing_reported: ["nothing reported", "没有上报"],
  found_this: ["This was found; a language model would answer from it.", "找到了这些，语言模型会据此回答。"],
  summary: ["{tokens} tokens instead of {whole}", "{tokens} 个词元，而不是 {whole} 个"],
  summary_alone: ["{tokens} tokens", "{tokens} 个词元"],
  see_why: ["How it came about", "来龙去脉"],
  unreachable: ["The server does not answer. Is it still running?", "服务器没有回答。它还在运行吗？"],
  went_wrong: ["That went wrong.", "出错了。"],
  save_trace: ["Save as JSON", "保存为 JSON"],
  open_trace: ["Open a saved one", "打开已保存的"],
  paste_trace: ["Paste a trace", "粘贴 JSON"],
  replay: ["Show it", "显示"],
  replayed: ["Shown from a file; nothing was asked anew.", "来自文件，没有重新查询。"],
  not_a_trace: ["That is no whole trace. Take what “Save as JSON” gives, or winnow ask --json --trace.", "这不是完整的记录。请用“保存为 JSON”的文件，或 winnow ask --json --trace 的输出。"],
  no_turn: ["Say something, and every step shows here: what it took in, what it left out, and what a model would be given.", "说句话，每一步都会显示在这里：看了什么，去掉了什么，模型会得到什么。"],
  verdict_act: ["To be done", "执行"],
  verdict_confirm: ["Needs a yes", "先确认"],
  verdict_clarify: ["A question", "请说明"],
  verdict_refuse: ["Refused", "不做"],
  verdict_query: ["Read", "读取"],
  verdict_nothing: ["Nothing for the home", "与设备无关"],
  verdict_not_understood: ["Not understood", "没有听懂"],
  narrow_home: ["{count} things in the home", "家里 {count} 样东西"],
  narrow_candidates: ["{count} came into question", "{count} 样可能相关"],
  narrow_meant: ["{count} meant", "{count} 样是所指的"],
  narrow_asked: ["one of {count} is asked for", "从 {count} 样里问是哪一个"],
  narrow_meant_none: ["none meant", "没有所指的"],
  narrow_found: ["passages, messages and facts found: {count}", "找到 {count} 条段落、消息和事实"],
  narrow_tokens: ["{count} tokens for the model", "给模型 {count} 个词元"],
  tokens: ["Tokens", "词元"],
  tokens_given: ["This turn", "这一轮"],
  tokens_whole: ["The whole home injected", "把整个家都塞进去"],
  budget: ["Budget", "预算"],
  share_of: ["{used} of {total}", "{used} / {total}"],
  share_history: ["Talk", "对话"],
  share_knowledge: ["What was found", "找到的内容"],
  share_system: ["Instructions", "指令"],
  share_reserve: ["Reserve", "预留"],
  share_tools: ["Tools", "工具"],
  times: ["Time", "用时"],
  stages: ["Stages", "各步骤"],
  stage_understand: ["Understand", "理解"],
  stage_intent: ["Intent", "意图"],
  stage_rewrite: ["Standalone query", "独立查询"],
  stage_recall: ["Search the home", "在家里找"],
  stage_sources: ["Other sources", "其他来源"],
  stage_decide: ["Decide", "裁决"],
  stage_assemble: ["Put together", "组装"],
  stage_context: ["What the model gets", "模型得到的原文"],
  stage_model: ["Models asked", "问过的模型"],
  stage_history: ["Messages", "消息"],
  stage_knowledge: ["Own documents", "自己的文档"],
  stage_facts: ["Facts", "事实"],
  stage_public: ["Public documents", "公共文档"],
  stage_mentions: ["Mentions", "提到的"],
  "stage_understand island": ["Second reading", "再读一遍"],
  flow_words: ["words: {words} → orders: {orders}", "{words} 个词 → {orders} 条指令"],
  flow_found: ["{from} → {to} candidates, {dropped} dropped", "{from} → {to} 个候选，去掉 {dropped} 个"],
  flow_sources: ["{asked} of {all} asked → {found} found", "问了 {all} 个中的 {asked} 个 → 找到 {found} 条"],
  flow_tokens: ["{tokens} of {total} tokens, {messages} messages", "{total} 个词元中的 {tokens} 个，{messages} 条消息"],
  flow_chosen: ["{from} → {to}", "{from} → {to}"],
  scores: ["Scores", "得分"],
  chosen: ["chosen", "选中"],
  only_first: ["The first {shown} of {count}", "共 {count} 个，只显示前 {shown} 个"],
  dropped: ["Dropped, and why", "去掉的和原因"],
  none_dropped: ["Nothing was dropped.", "没有去掉任何东西。"],
  excluded_by: ["excluded by the sentence", "被这句话排除"],
  how_searched: ["How it was searched", "怎么找的"],
  sure: ["How sure", "把握"],
  overall: ["overall", "总体"],
  action: ["action", "动作"],
  target: ["target", "对象"],
  quantifier: ["quantifier", "数量"],
  value: ["value", "数值"],
  conditions: ["conditions", "条件"],
  excluded: ["excluded", "除外"],
  unplaced: ["not accounted for", "没有着落的词"],
  query: ["query", "查询"],
  source: ["source", "来源"],
  reason: ["reason", "原因"],
  decided_by: ["by", "由"],
  enough: ["enough that is private", "私有内容够不够"],
  enough_yes: ["yes: {reason}", "够：{reason}"],
  enough_no: ["no: {reason}", "不够：{reason}"],
  to_do: ["to be done", "要执行"],
  refused: ["refused", "拒绝"],
  outcome: ["outcome", "结果"],
  left_out: ["Left out of the text", "没写进去的"],
  trimmed: ["Trimmed", "裁掉的"],
  exact_text: ["Word for word", "一字不差"],
  copy_text: ["Copy", "复制"],
  copied: ["Copied.", "已复制。"],
  role_system: ["system", "系统"],
  role_user: ["user", "用户"],
  role_assistant: ["assistant", "助手"],
  role_tool: ["tool", "工具"],
  search_memory: ["Search messages and documents", "查找消息和文档"],
  search: ["Search", "查找"],
  documents: ["Documents", "文档"],
  public: ["for everybody", "公共"],
  messages: ["Messages", "消息"],
  facts: ["Facts", "事实"],
  add_document: ["Add a document", "添加文档"],
  added_document: ["{name} is kept: {passages} passages.", "{name} 已保存：{passages} 个段落。"],
  none_kept: ["Nothing is kept yet.", "还没有保存任何内容。"],
  none_found: ["Nothing was found.", "没有找到。"],
  nobody: ["Say who speaks to see what is kept of that person.", "填写说话的人，就能看到保存的内容。"],
  close: ["Close", "关闭"],
  key_title: ["This server asks for a key", "这个服务器需要密钥"],
  key_hint: ["winnow keys add NAME makes one. It stays in this tab and is sent to this server only.", "winnow keys add 名字 可以新建。密钥只留在这个标签页，只发给这个服务器。"],
  key: ["Key", "密钥"],
  key_use: ["Use it", "使用"],
};

const LANES = {
  name: ["name", "名称"], "name.part": ["part of the name", "名称的一部分"], alias: ["another name", "别名"],
  pinyin: ["sound", "读音"], fuzzy: ["nearly the name", "近似名称"], slip: ["slip of typing", "笔误"],
  room: ["room", "房间"], area: ["area", "区域"], type: ["kind", "种类"], coverage: ["words covered", "词的覆盖"],
  exact: ["exact", "完全一致"], trait: ["ability", "能力"], text: ["command's words", "命令的词"],
  lexical: ["words", "字词"], vector: ["meaning", "语义"], near: ["near", "邻近"], usage: ["used before", "用过"],
  words: ["words", "字词"], covered: ["words covered", "词的覆盖"], concepts: ["concepts", "概念"],
  sentence: ["best sentence", "最佳句子"], together: ["words together", "词相邻"], title: ["title", "标题"],
  titled: ["title's words", "标题的词"], named: ["names", "专名"], meaning: ["meaning", "语义"],
  share: ["share of the words", "词的占比"], relevance: ["relevance", "相关度"], contains: ["contains", "包含"],
  described: ["description", "描述"], missing: ["missing words", "缺的词"], margin: ["margin", "差距"],
};

// Values of devices, first as their kind says them.
const STATES = {
  on: ["on", "开"], off: ["off", "关"], open: ["open", "打开"], closed: ["closed", "关闭"], opening: ["opening", "正在打开"],
  closing: ["closing", "正在关闭"], locked: ["locked", "已上锁"], unlocked: ["unlocked", "未上锁"], jammed: ["jammed", "卡住"],
  unavailable: ["unavailable", "不可用"], unknown: ["unknown", "未知"], playing: ["playing", "播放中"], paused: ["paused", "已暂停"],
  idle: ["idle", "空闲"], standby: ["standby", "待机"], heat: ["heating", "制热"], cool: ["cooling", "制冷"], auto: ["auto", "自动"],
  dry: ["dry", "干燥"], fan_only: ["fan", "送风"], docked: ["docked", "在基座"], cleaning: ["cleaning", "清扫中"], returning: ["going home", "返回中"],
  home: ["home", "在家"], not_home: ["away", "不在家"], eco: ["eco", "节能"], armed_away: ["armed", "已布防"], armed_home: ["armed at home", "在家布防"],
  disarmed: ["disarmed", "已撤防"], active: ["motion", "有人"], inactive: ["quiet", "无人"], wet: ["wet", "有水"], clear: ["clear", "正常"],
  detected: ["detected", "报警"], sunny: ["sunny", "晴"], cloudy: ["cloudy", "多云"], rainy: ["rain", "雨"], true: ["yes", "是"], false: ["no", "否"],
  "partially open": ["partly open", "部分打开"], heat_cool: ["auto", "自动"], mowing: ["mowing", "割草中"],
};
const BY_KIND = {
  contact_sensor: { on: "open", off: "closed" },
  motion_sensor: { on: "active", off: "inactive" },
  occupancy_sensor: { on: "active", off: "inactive" },
  leak_sensor: { on: "wet", off: "dry" },
  smoke_sensor: { on: "detected", off: "clear" },
  gas_sensor: { on: "detected", off: "clear" },
};

export const LANGUAGES = ["en", "zh"];
let at = 0;

export function setLanguage(language) {
  at = Math.max(0, LANGUAGES.indexOf(language));
}

function inWords(row, facts) {
  return row[at].replace(/\{(\w+)\}/g, (_, name) => facts[name] ?? "");
}

export function say(key, facts = {}) {
  return inWords(TEXTS[key], facts);
}

// The text of a key that may be no one's: a stage, a share, a role of the server's.
export function label(kind, name) {
  const row = TEXTS[`${kind}_${name}`];
  return row ? row[at] : name;
}

export function lane(name) {
  const row = LANES[name];
  return row ? row[at] : name;
}

export function stateWord(value, kinds = []) {
  const meant = kinds.map((kind) => BY_KIND[kind]?.[value]).find(Boolean) ?? value;
  const row = STATES[meant];
  return row ? row[at] : String(value);
}
