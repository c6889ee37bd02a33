/** Longer texts are not searched for an answer, because the prompt asks for a short one. */
const LONGEST = 2_000_000

/** The most objects to try in a text before it counts as having no answer. */
const MOST_OBJECTS = 20

/**
 * Returns the JSON in a text: the whole text, or the single object with the form of an answer among thoughts, fences
 * and sentences. Undefined without one, or if several differ.
 */
export function readJson(text: string): unknown {
  const plain = text.replace(/^\uFEFF/, '').trim()
  const whole = parse(plain)
  if (whole !== undefined || text.length > LONGEST) return unwrap(whole)
  const shown = withoutThoughts(plain)
  const rest = parse(shown)
  return rest === undefined ? onlyAnswer(shown) : unwrap(rest)
}

/** The most layers around an answer. */
const MOST_LAYERS = 3

/**
 * Unwraps an answer that a model put into a list of one, into a member of an object, or into JSON as a text.
 * A list of columns becomes the columns of an answer. Other values are returned unchanged.
 */
function unwrap(value: unknown): unknown {
  return answerIn(value, MOST_LAYERS) ?? value
}

function answerIn(value: unknown, layers: number): unknown {
  if (isAnswer(value)) return value
  if (layers === 0) return undefined
  if (typeof value === 'string')
    return value.includes('"columns"') ? answerIn(parse(value), layers - 1) : undefined
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value) && value.length > 0 && value.every(isColumn)) return { columns: value }
  const members: readonly unknown[] = Object.values(value)
  if (members.length > MOST_MEMBERS) return undefined
  const answers = members.flatMap((member) => answerIn(member, layers - 1) ?? [])
  return answers.length === 1 ? answers[0] : undefined
}

/** The most members of an object around an answer, such as a status or a note. */
const MOST_MEMBERS = 5

function isColumn(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'ordinal' in value
}

/**
 * Removes the thoughts that some models print. The opening tag may be missing; without a closing tag, the text has no
 * answer.
 */
function withoutThoughts(text: string): string {
  const closed = text.split(/<\/(?:think|thinking|thought|reasoning)>/i).at(-1) ?? ''
  return (closed.split(/<(?:think|thinking|thought|reasoning)>/i)[0] ?? '').trim()
}

function parse(text: string): unknown {
  for (const candidate of [text, withoutTrailingCommas(text)]) {
    try {
      return JSON.parse(candidate) as unknown
    } catch {
      // try the next form, if there is one
    }
  }
  return undefined
}

/** Removes commas before a closing bracket, except inside strings. */
function withoutTrailingCommas(text: string): string {
  return text.replaceAll(/("[^"\\]*(?:\\.[^"\\]*)*")|,(?=\s*[}\]])/gs, '$1')
}

function onlyAnswer(text: string): unknown {
  const answers = objectsIn(text)
    .map((object) => unwrap(parse(object)))
    .filter(isAnswer)
  const distinct = new Map(answers.map((answer) => [JSON.stringify(answer), answer]))
  return distinct.size === 1 ? answers[0] : undefined
}

function isAnswer(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'columns' in value
}

/** Returns the texts between matching braces, in order. */
function objectsIn(text: string): readonly string[] {
  const objects: string[] = []
  let from = text.indexOf('{')
  for (let seen = 0; from >= 0 && seen < MOST_OBJECTS; seen++) {
    const end = endOfObject(text, from)
    if (end !== undefined) objects.push(text.slice(from, end))
    from = text.indexOf('{', end ?? from + 1)
  }
  return objects
}

/** Returns the end of the object that starts at `from`; braces inside strings do not count. */
function endOfObject(text: string, from: number): number | undefined {
  const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}]/gs
  token.lastIndex = from
  let depth = 0
  for (let match = token.exec(text); match; match = token.exec(text)) {
    if (match[0] === '{') depth++
    if (match[0] === '}') depth--
    if (depth === 0) return token.lastIndex
  }
  return undefined
}
