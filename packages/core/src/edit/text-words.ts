// Words that distinguish a description from an instruction, a command or a link.

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/))
}

/** Verbs that begin an instruction. The next word identifies nouns that look like them: `Delete flag`, `Run date`. */
export const ORDERS = words(`
  approve alter append authorize bypass browse call cat chmod click connect contact copy create curl decode
  delete deploy dial disable disclose disregard download drop echo email e-mail enable encode enter erase
  escalate eval evaluate exec execute exfiltrate expose export fetch follow forget forward give go grant
  ignore import insert install invoke kill leak load login mail message navigate notify obey open output
  override paste pay phone ping post pretend print publish purge reply reset respond restart reveal revoke
  roleplay run select send share shutdown skip start stop submit subscribe switch tell text transfer truncate
  type unlock update upgrade upload visit wget whatsapp wire write act behave answer remember repeat rename
  replace remove return rewrite treat assume buy add append change set note read say filter join trust query
`)

/** Words after such a verb that make it a noun or part of a name. */
export const ATTRIBUTES = words(`
  account action address amount and as at attempt balance batch by category center centre channel charge class
  code content contents cost count country currency data date day description details direction duration email
  event fee field file flag for format frequency from given group holder hour id identifier in index indicator
  information is key kind label length level limit line list location mark marker measured medium message method
  minute mode month name note number of off on option or order originated output owner page person phone
  point position price priority product quantity queue rate reason record reference region request result role
  row score seconds sent sequence series service shown size slot source speed stage start state statement status step
  store stored sum table tag target term text that the time timestamp title to token total transaction type unit
  until url used user value version volume was week weight when which with year made made_at received stamp
  taken text transcript window
`)

/** Words that begin the object of an instruction, whatever its verb. */
export const OBJECTS = words(`
  a all an any each every everything him her his it its me my our that the their them these this those us your
  anything nothing whatever previous above following instead
`)

/** Verbs that do not look like any noun in a warehouse. */
export const SURE_ORDERS = words(`
  act respond skip subscribe
  bypass chmod curl disregard disclose erase eval exec execute exfiltrate forget go ignore invoke leak
  navigate obey pretend reveal roleplay wget whatsapp tell behave unlock remember treat assume give
`)

/** Persons that only an instruction mentions or addresses. */
export const ADDRESSEES =
  /\b(?:you|your|yours|yourself|chatgpt|chat-gpt|gpt-?\d*|claude|gemini|copilot|llms?|language models?|ai (?:assistant|agent|model|system)s?|system prompt|jailbreak|prompt injection)\b/i

/** A speaker before a colon, but not in `Role of the user: admin or editor`. */
export const SPEAKER =
  /(?:^|[\s[(*#>"'])(?<!\b(?:of|by|for|from|to) (?:the|an?|each) )(?:system|assistant|user|developer|human|instructions?|prompt|ai|bot|agent|model|admin|root|note to \w+(?: \w+)?|attention|important|warning|urgent|todo|override|task|new task|command)\s*(?:\]\s*)?[:：]/iu

/** Matches an order with its object. */
export const ORDERED =
  /\b(?:ignor|disregard|forget|overrid|bypass|follow|obey|reveal|print|repeat|leak|disclos)\w*\s+(?:\w+\s+){0,4}(?:instructions?|prompts?|rules?|guidelines?|policy|policies|secrets?|passwords?|credentials?|api keys?)\b/i

/** Instructions that do not begin with a verb. */
export const MUST =
  /\b(?:please|kindly)\s+\w+|\b(?:readers?|analysts?|reviewers?|assistants?|agents?|tools?|models?|ais?|bots?|whoever|anyone|everyone)\s+(?:\w+\s+){0,4}(?:must|should|shall|has to|have to|needs? to)\b|\bwhen (?:\w+ ){0,3}(?:read(?:s|ing)?|see(?:s|ing)?|process(?:es|ing)?|summari[sz](?:es|ing)|generat(?:es|ing)) this\b|\bbefore (?:reading|running|answering|continuing)\b|\b(?:do|does) not (?:tell|mention|reveal|warn|review|check|trust|validate)\b/i

/** Instructions that two words identify, at the beginning of a clause. */
export const PHRASES =
  /^(?:(?:turn|switch) (?:on|off|to|over)\b|(?:proceed|comply|continue) (?:to|with)\b|make (?:sure|certain)\b|let (?:\w+ )+|do (?:as|what|this|it|so|the|whatever)\b|consider (?:all|every|any|the|this|it|them|yourself)\b|be sure\b|use (?:your|my|its|their|(?:the|an?) (?:\w+ )?(?:accounts?|credentials?|admin|root|tools?|keys?|passwords?|tokens?|shell|terminal|database|console))\b|merge (?:this|it|the|without)\b|push (?:this|it|to)\b)/i

/** Mentions of rules, which a description of a column has no reason for. */
export const RULES =
  /\b(?:earlier|previous|prior|above|preceding|following|new)\s+(?:rules?|instructions?|guidelines?|prompts?)\b|\b(?:rules?|instructions?|guidelines?|prompts?)\s+(?:above|below)\b/i

/** Text in the first person, or an apology. */
export const SELF =
  /\bI(?: (?:cannot|can|can't|am|was|do|don't|don’t|won't|will|have|must|should|could|would|need|think|believe)\b|['’]m\b)|^sorry\b|\bas an? (?:ai|language|assistant)\b/i

/** Statements of SQL and commands of a shell. */
export const STATEMENTS: readonly RegExp[] = [
  /\b(?:drop|truncate|alter|create|replace)\s+(?:or\s+replace\s+)?(?:table|schema|database|view|user|role|function|index|warehouse)\b/i,
  /\b(?:delete\s+from|insert\s+into|merge\s+into|copy\s+into)\b/i,
  /\bgrant\s+\w+\s+(?:on|to)\b/i,
  /\bSELECT\b.+\bFROM\b/,
  /\bselect\s+(?:\*|[\w.]+\s*,)/i,
  /\bunion\s+(?:all\s+)?select\b/i,
  /\bupdate\s+[\w.]+\s+set\s+\w+\s*=/i,
  /\b(?:rm\s+-\w|sudo\s|chmod\s|curl\s|wget\s|bash\s+-c|sh\s+-c|powershell|cmd\.exe|base64\s+-d|nc\s+-\w|ssh\s+\w+@|eval\()/i,
  /\b(?:__import__|os\.system|subprocess|child_process|document\.|window\.|localStorage|onerror|onload)\b.*[(=]/i,
]

/** Reserved example domains (RFC 2606), and companies that are named like a domain. */
export const KNOWN_DOMAINS =
  /^(?:(?:[\w-]+\.)*example(?:\.(?:com|org|net))?|(?:[\w-]+\.)+(?:test|invalid|example)|amazon\.com|booking\.com|salesforce\.com|hotels\.com|monday\.com|force\.com|alarm\.com|overstock\.com|ancestry\.com|cars\.com|homes\.com|realtor\.com|crypto\.com|ticketmaster\.com|costar\.com|match\.com|drugstore\.com|make\.com|customer\.io|draw\.io|segment\.io|socket\.io|cal\.com|last\.fm|about\.me|bit\.ly|asp\.net|ado\.net|paddle\.net|authorize\.net|node\.js|vue\.js|next\.js)$/i

/** Top-level domains, without those that are also common column names (`orders.id`, `customer.name`). */
export const HOST_ENDINGS =
  /^(?:com|net|org|io|ai|app|dev|co|xyz|info|biz|ru|cn|tk|ml|ga|cf|gq|top|site|online|shop|store|club|live|link|click|cloud|tech|space|website|pro|vip|work|page|host|press|me|cc|ws|su|onion|ly|gl|gd|zip|mov|uk|de|fr|nl|pl|br|jp|kr|au|ca|ch|eu|us|es|it|se|no|dk|fi|cz|at|be|tr|ir|ua|sh|gg|tv|fm|st|pw|icu|buzz|fun|rest|bid|win|loan|men|date|review|stream|download|science|party|trade|webcam|accountant|faith|cricket|racing)$/

/** Words before a secret. */
export const SECRET_WORDS =
  /\b(?:password|passwd|pwd|passphrase|secret|token|api[ _-]?key|access[ _-]?key|private[ _-]?key|bearer|credentials?)\s*(?:is|=|:|->)\s*["'`]?[^\s"'`]{4,}/i

/** The forms of tokens from providers. */
export const TOKENS: readonly RegExp[] = [
  /\b(?:sk|pk|rk)[-_](?:live|test|proj|ant)?[-_]?[A-Za-z0-9_-]{10,}/,
  /\b(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{8,}/,
  /\bgh[pousr]_[A-Za-z0-9]{10,}|\bgithub_pat_\w{10,}|\bglpat-[\w-]{8,}/,
  /\bxox[abprs]-[A-Za-z0-9-]{6,}|\bhooks\.slack/,
  /\beyJ[A-Za-z0-9_-]{6,}/,
  /-----BEGIN|\bssh-(?:rsa|ed25519)\s/,
  /\bAIza[\w-]{10,}|\bya29\.[\w-]+|\bSG\.[\w-]{8,}|\bdapi[0-9a-f]{8,}|\bnpm_\w{10,}|\bhvs\.\w{8,}|\bpypi-\w{8,}/,
  /\b[0-9a-f]{24,}\b/i,
  /\b\d{3}-\d{2}-\d{4}\b/, // a social security number
  /\b\d{4}([ -])\d{4}\1\d{4}\1\d{1,7}\b/, // a card
  /\b[A-Z]{2}\d{2} ?(?:[A-Z]{4} ?)?(?:\d{4} ?){3,}/, // a bank account
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/i,
]

/** Advice to a reader, in a form that descriptions of facts do not have. */
export const ADVICE: readonly RegExp[] = [
  /\b(?:use|using|prefer|query|join|take|select|read)\b[^.;]*\binstead\b/i,
  /\brather than this\b|\bin place of this\b/i,
  /\bwe (?:recommend|suggest|advise|prefer|do not|don't|use)\b|\b(?:is|are|not) recommended\b|\brecommended (?:to|not)\b/i,
  /\b(?:not|never) (?:to )?be used\b|\b(?:must|should|has to|have to|needs? to) (?:always |only |never |not )*be (?:joined|filtered|used|treated|ignored|excluded|multiplied|divided|converted|cast|deduplicated|dropped|removed)\b/i,
  /^(?:owner|contact|maintainer|author|steward|poc)s?\s*:/i,
  /^(?:hey|hi|hello|dear)\b[ ,]/i,
  /\b(?:TODO|FIXME|XXX|HACK)\b/,
  /\bdbt (?:run|build|seed|snapshot|test)\b/i,
  /\bnext release\b|\bsee (?:also\b|table\b|column\b|\w+[_.]\w)/i,
]

/** Clauses that begin like advice; `use` and the like may be nouns: `Use case`, `Check number`. */
export const ADVISED =
  /^(?:(?:use|query) (?!(?:case|of|type|code|category|class|count|date|flag|by|limit|period|status|permit|rate|text|id|name|number)\b)|(?:see(?! (?:the |also )?\w+(?: \w+)? for (?:details|more)\b)|consult|avoid|prefer|refer to|consider|trust|rely on|beware|filter out|ask) \w)/i

/** Orders to ignore something, in other languages. */
export const FOREIGN_ORDERS =
  /\bignor(?:iere?n?|ez|a|ar|are|er)\b|\b(?:anweisungen|instruccion(?:es)?|instruções|istruzioni|опис|инструкци\w*)\b|忽略|无视|無視|指令|игнорир|пренебрег/iu

/** Letters that are spaced out, so that no word is one. */
export const SPACED = /(?:\b\p{L} ){4,}\p{L}\b/u

/** Facts about a column that no table shows. Each word may stand if the name or the comment says it. */
export const UNPROVEN: readonly RegExp[] = [
  /\b(deprecated|obsolete|superseded|decommissioned|discontinued|sunset)\b/i,
  /\b(replaced|superseded) by\b|\b(moved|migrated|renamed|merged) (?:to|into|from)\b|\bthe new (?:name|table|column|field) is\b/i,
  /\b(legacy) (?:column|field|table|attribute)\b|\bno longer (used|maintained|updated|populated|filled|supported)\b/i,
  /\b(certified|audited|guaranteed|confidential|compliant|anonymi[sz]ed|pseudonymi[sz]ed|gdpr|hipaa)\b/i,
  /\bsource of truth\b|\b(approved) by (?:the )?(?:security|legal|data|compliance)\b|\b(verified) by (?:audit|the)\b/i,
  /\bno (?:personal|sensitive) (?:data|information)\b|\bsafe to\b|\bmay be shared\b|\binternal use\b|\brights reserved\b|\bproperty of [A-Z]/i,
  /\b(?:contains?|has|have) no nulls?\b|\b(?:never|cannot be|can't be|not) (?:null|nullable)\b|\bnon-?null(?:able)?\b/i,
  /\b(?:refreshed|updated|loaded|synced) (?:every|hourly|daily|nightly|weekly|monthly)\b|\b(?:by|from|via) (?:airflow|fivetran|airbyte|stitch|dbt)\b/i,
  /\b(?:values?|data|rows?|records?|this (?:column|field|table))\b[^.;]{0,40}\b(?:wrong|incorrect|unreliable|inaccurate|untrustworthy|buggy)\b|\b(?:wrong|incorrect|unreliable) (?:values?|data)\b/i,
]
