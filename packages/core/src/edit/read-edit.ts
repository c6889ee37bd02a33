import {
  type PlanEdit,
  planEditSchema,
  planEditWithExpressionsSchema,
  type Violation,
} from '@stagecraft/spec'
import { check } from '@stagecraft/spec/validate'

/** The edit in the text of an answer, or what is wrong with its form. Nothing is repaired: half an answer is none. */
export function readEdit(
  text: string,
  { allowExpressions }: { readonly allowExpressions: boolean },
): PlanEdit | readonly Violation[] {
  const json = parseJson(text)
  if (json === undefined) return [{ code: 'NOT_JSON', expected: 'one JSON object and nothing else' }]
  const checked = allowExpressions ? check(planEditWithExpressionsSchema, json) : check(planEditSchema, json)
  if ('value' in checked) return checked.value
  return checked.faults.slice(0, MOST).map(({ expected, segments }) => ({
    code: 'WRONG_SHAPE',
    expected: `${expected} at ${printPlace(segments)}`,
  }))
}

/** Enough to repair by, and bounded. */
const MOST = 20

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const KEYS = new Set(
  'description columns ordinal name operation expression tests values table column'.split(' '),
)

/** A place by the keys of the schema; the model's own keys are not said again. */
function printPlace(segments: readonly PropertyKey[]): string {
  const shown = segments.map((segment) => {
    if (typeof segment === 'number') return `[${segment}]`
    return KEYS.has(String(segment)) ? `.${String(segment)}` : '.?'
  })
  return shown.join('') || 'the top'
}
