/** Longer texts are not searched for an answer, because the prompt asks for a short one. */
const LONGEST = 2_000_000

/** Objects that are looked at in a text before it counts as one without an answer. */
const MOST_OBJECTS = 20

/**
 * The JSON that a text plainly holds: the whole text, or the one object in it that has the form of an answer, with
 * thoughts, fences and sentences around it. Undefined where there is none, or where several say different things.
 */
export function readJson(text: string): unknown {
  const plain = text.replace(/^\uFEFF/, '').trim()
  const whole = parse(plain)
  if (whole !== undefined || text.length > LONGEST) return whole
  const said = withoutThoughts(plain)
  return parse(said) ?? onlyAnswer(said)
}

/**
 * Removes the thoughts that some models print. The opening tag may be missing; without a closing tag there is
 * no answer.
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
      // The next form of it, or none.
    }
  }
  return undefined
}

/** Commas before a closing bracket mean nothing; those inside of strings are text. */
function withoutTrailingCommas(text: string): string {
  return text.replaceAll(/("[^"\\]*(?:\\.[^"\\]*)*")|,(?=\s*[}\]])/gs, '$1')
}

function onlyAnswer(text: string): unknown {
  const answers = objectsIn(text).map(parse).filter(isAnswer)
  const distinct = new Map(answers.map((answer) => [JSON.stringify(answer), answer]))
  return distinct.size === 1 ? answers[0] : undefined
}

function isAnswer(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'columns' in value
}

/** The texts from an opening brace to the one that closes it, in the order of the text. */
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

/** Braces inside of strings close nothing. */
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
