import { VIOLATIONS } from '@stagecraft/spec'
import { EXPRESSIONS, NAMELESS, REPAIR_OF_ALL, REPAIR_OF_PARTS, systemText } from './prompt-texts.ts'
import * as known from './text-words.ts'

/** Returns true if a text is more than plain text: an instruction, code, a link, or a disguise. */
export function isHazardous(text: string): boolean {
  const plain = text.normalize('NFKC')
  return (
    hasDisguise(text) ||
    hasMarkup(plain) ||
    hasAddress(plain) ||
    hasSecret(plain) ||
    known.STATEMENTS.some((pattern) => pattern.test(plain)) ||
    known.ADVICE.some((pattern) => pattern.test(plain)) ||
    known.FOREIGN_ORDERS.test(plain) ||
    known.SPACED.test(plain) ||
    isOrder(plain) ||
    isOurs(plain)
  )
}

/** HTML, links, pictures, entities and documents of other kinds. */
const MARKUP =
  /<[a-z/!?|]|\][([]|\]\]>|\[\/?inst\]|&(?:#\w+|[a-z]{2,8});|%[0-9a-f]{2}%|%(?:0[0ad]|2[2fF7]|3[cC3eE]|5[cC]|7[bBdD])|\$\{\{|\{%|%\}|\{#|#\}|<\||\|>|\b(?:javascript|vbscript|mailto|data|file|tel|sms)\s*:\s*\S/i

/** Bold text, hashtags and mentions; and the first sign of a formula in a spreadsheet. */
const EMPHASIS = /\*\*\w|(?:^|\s)[#@][a-z]\w{2}|^[=+@]\w+\W|;\s*--|\b(\d+)\s*=\s*\1\b/i

function hasMarkup(text: string): boolean {
  return MARKUP.test(text) || EMPHASIS.test(text) || hasJinja(text)
}

/** Names that mean something to dbt between double braces. */
const CONTEXT =
  /^(?:adapter|api|builtins|config|context|database_schemas|dbt|dbt_version|doc|env_var|execute|exceptions|flags|fromjson|graph|invocation_id|log|model|modules|node|print|project_name|ref|run_query|run_started_at|schema|self|set|source|sql|statement|target|this|thread_id|tojson|var)\b/i

/**
 * Braces around a name are plain text (`{{ customer.name }}`), which printing escapes; around anything else they
 * are code.
 */
function hasJinja(text: string): boolean {
  const rest = text.replace(/\{\{ ?([a-z]\w*(?:\.[a-z]\w*)?) ?\}\}/gi, (whole, name: string) =>
    CONTEXT.test(name) || /__/.test(name) ? whole : '',
  )
  return /\{\{|\}\}/.test(rest)
}

const URL = /\b[a-z]:\\\w|\b[a-z][a-z0-9+.-]*:\/\/|\bwww\.|^\/\/|\s\/\/\w|\\\\\w|\bhxxps?\b/i
const MAILBOX = /\S@\S|\w\s*[[({]?\s*\bat\b\s*[\])}]?\s*[\w-]+\s*[[({]?\s*\bdot\b/i
const SPELLED_HOST = /\w\s*[[({]\s*(?:dot|\.)\s*[\])}]\s*\w|\b\w+ dot (?:com|net|org|io|ru|cn)\b/i
const NUMBERS =
  /\b[0-9a-f]{3,4}(?::[0-9a-f]{0,4}){2,}(?!\w)|\b(?:\d{1,3}\.){3}\d{1,3}\b|\blocalhost:\d+|\b\w+:\d{2,5}\/|\+\d[\d ()-]{7,}|\b(?:tel|phone|fax|call)\b\.?:? ?\d[\d ()/-]{5,}/i
/** A path or a query after a dotted name. */
const QUERY = /[\w-]\.[a-z]{2,}(?::\d+)?\/\S|[\w-]\.[a-z]{2,}\S*\?\S*=/i

/** Returns true if the text holds an address of a person or a machine. */
function hasAddress(text: string): boolean {
  const isAddress = [URL, MAILBOX, SPELLED_HOST, NUMBERS, QUERY].some((pattern) => pattern.test(text))
  return isAddress || hostsIn(text).some((host) => !known.KNOWN_DOMAINS.test(host))
}

function hostsIn(text: string): readonly string[] {
  const names = text.replaceAll('。', '.').match(/[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)+/gu) ?? []
  return names.filter((name) => known.HOST_ENDINGS.test(name.split('.').at(-1)?.toLowerCase() ?? ''))
}

function hasSecret(text: string): boolean {
  if (known.SECRET_WORDS.test(text) || known.TOKENS.some((pattern) => pattern.test(text))) return true
  if (text.match(/\b\d{14,19}\b/g)?.some(isCard)) return true
  return text.split(/[\s,;:()"'`=]+/).some(isRandom)
}

/** Returns true if digits pass the Luhn check of card numbers. */
function isCard(digits: string): boolean {
  const sum = Array.from(digits, Number)
    .toReversed()
    .reduce((total, digit, index) => {
      const doubled = index % 2 === 1 ? digit * 2 : digit
      return total + (doubled > 9 ? doubled - 9 : doubled)
    }, 0)
  return sum % 10 === 0
}

/** A long run of mixed-case letters and digits that is not a word. */
function isRandom(word: string): boolean {
  if (word.length < 16 || !/^[A-Za-z0-9+/_=-]+$/.test(word)) return false
  const parts = word.split(/[_-]/).filter((part) => part.length >= 10)
  return parts.some((part) => {
    const changes = part.match(/[a-z][0-9]|[0-9][a-z]|[A-Z][0-9]|[0-9][A-Z]/g)?.length ?? 0
    return /\d/.test(part) && /[A-Za-z]/.test(part) && changes >= 3
  })
}

/** Returns true if the text is an instruction. */
function isOrder(text: string): boolean {
  const isSaid = [known.ADDRESSEES, known.SPEAKER, known.ORDERED, known.MUST, known.RULES, known.SELF].some(
    (pattern) => pattern.test(text),
  )
  return isSaid || clausesOf(text).some(isOrderClause)
}

/**
 * Splits a text into clauses that may begin with a verb: sentences, and parts after a colon, a comma or a
 * conjunction.
 */
function clausesOf(text: string): readonly string[] {
  return text
    .split(
      /[.;:!?,()"“”«»[\]—–|*>#]+|\s-+\s|\b(?:and|then|but|so|or|also|now|finally|always|never)\b|(?<!\b(?:the|an?|its|their|each|of|on|by|in) )\b(?:first|next)\b/i,
    )
    .map((clause) => clause.trim().replace(/^(?:just|simply|immediately|please|kindly) /i, ''))
    .filter((clause) => clause !== '')
}

function isOrderClause(clause: string): boolean {
  const [verb = '', next = '', third = ''] = clause.toLowerCase().split(/\s+/)
  if (known.PHRASES.test(clause) || known.ADVISED.test(clause)) return true
  if (verb === 'do' && next === 'not')
    return third === 'use' || (known.ORDERS.has(third) && !known.ATTRIBUTES.has(third))
  if (!known.ORDERS.has(verb) || next === '') return false
  if (known.SURE_ORDERS.has(verb))
    return !/^(?:flag|reason|indicator|amount|date|type|code|rate|number|id|count|level|time|status|rule|logic|pattern|interval)$/.test(
      next,
    )
  if ((next === 'that' || next === 'which') && isRelative(verb, third)) return false
  if (next === 'the' || next === 'that' || next === 'this') return true
  return known.OBJECTS.has(next) || !(known.ATTRIBUTES.has(next) || isNounPhrase(next))
}

/**
 * `Note that the clerk left` and `Text that appears below` are descriptions; `Print that page` is an
 * instruction.
 */
function isRelative(verb: string, third: string): boolean {
  if (verb === 'note') return true
  return (
    /^(?:message|text|reply|answer|order|email|call|copy|print|output|record|change|update|report|post|click|visit|export|type)$/.test(
      verb,
    ) && /^(?:the|an?|is|was|are|were|has|had|he|she|they|may|can)$|[a-z]{2}(?:[^s]s|ed)$/.test(third)
  )
}

/**
 * A verb before a word that ends like a noun or a participle is the first part of a name: `Payment`, `Return
 * shipping`.
 */
function isNounPhrase(word: string): boolean {
  return /(?:tion|ment|ing|ity|ness|ance|ence|er|or|age|ship|ure|ed|s|al|ic)$/.test(word)
}

/** The number of equal words in a row that is not a coincidence. */
const RUN = 6

const OWN = [
  systemText({ booleans: true, timestamps: 'keep', dates: 'keep' }),
  NAMELESS,
  EXPRESSIONS,
  ...REPAIR_OF_ALL,
  ...REPAIR_OF_PARTS,
  ...Object.values(VIOLATIONS),
]
const RUNS: ReadonlySet<string> = new Set(OWN.flatMap((text) => runsOf(text)))

/** Returns true if a text repeats the instructions to a model, or the violations reported to it. */
function isOurs(text: string): boolean {
  if (/\bof the answer cannot be used\b|\bthe answer cannot be used\b/i.test(text)) return true
  if (/\b[A-Z]{2,}_[A-Z_]{2,}\b/.test(text) && Object.keys(VIOLATIONS).some((code) => text.includes(code)))
    return true
  return /\bsend the whole answer\b/i.test(text) || runsOf(text).some((run) => RUNS.has(run))
}

function runsOf(text: string): readonly string[] {
  const all = text.toLowerCase().match(/[a-z0-9_]+/g) ?? []
  return all.length < RUN ? [] : all.slice(RUN - 1).map((_, index) => all.slice(index, index + RUN).join(' '))
}

/** Letters of other scripts that look like Latin ones, so that one word can pass for another. */
const LOOKALIKES = /^[аеорсухіјѕԁԛԝһӏвнкмтАВЕКМНОРСТУХІЈЅΑΒΕΖΗΙΚΜΝΟΡΤΥΧαορνικυ]+$/u

/** Returns true if letters are disguised: scripts mixed in a word, styled letters, stacked marks. */
function hasDisguise(text: string): boolean {
  const composed = text.normalize('NFC')
  if ((composed.match(/(?<=\p{Script=Latin}|\p{Mn})\p{Mn}/gu)?.length ?? 0) > 1) return true
  if (
    /\p{M}{4,}/u.test(composed) ||
    /[\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Greek}\p{N}\p{P}\p{S}\s]\p{Me}/u.test(composed)
  )
    return true
  if (/[\u0250-\u02af\u1d00-\u1dbf\ua720-\ua7ff\ua7f2-\ua7ff]/.test(composed)) return true
  if (Array.from(composed).some(isCostume)) return true
  const words = composed.match(/\p{L}+/gu) ?? []
  const isLatin = words.some((word) => /^\p{Script=Latin}+$/u.test(word))
  return words.some((word) => mixesScripts(word) || (isLatin && word.length > 1 && LOOKALIKES.test(word)))
}

/** Returns true for a Latin letter in another form: full width, circled, mathematical. */
function isCostume(character: string): boolean {
  if (/[ -\u024f™℠№℃℉ªº℡㎡㎥㎏㎝㎜㎞ﬁﬂ\u2070-\u209f\u2150-\u218f]/u.test(character)) return false
  const plain = character.normalize('NFKC')
  return plain !== character && /[A-Za-z]/.test(plain)
}

function mixesScripts(word: string): boolean {
  const isMixed =
    /\p{Script=Latin}/u.test(word) &&
    /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u.test(word)
  return isMixed && !/^[Δμαβγσ]\p{Script=Latin}+$/u.test(word)
}
