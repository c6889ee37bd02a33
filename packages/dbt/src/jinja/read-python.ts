import { callsIn } from './calls.ts'
import { factsOf, lineCounter, type TemplateFacts } from './read-template.ts'
import { tokensOf } from './tokens.ts'

/** The longest text of a call's arguments. */
const LONGEST_CALL = 500

/** Reads what a model in Python refers to: `dbt.ref('orders')`, `dbt.source('shop', 'orders')`. */
export function readPython(text: string): TemplateFacts {
  const lineOf = lineCounter(text)
  const calls = [...text.matchAll(/\bdbt\s*\.\s*(?:ref|source|config)\s*\(/g)].flatMap(({ index }) => {
    const [call] = callsIn(tokensOf(text.slice(index, index + LONGEST_CALL)))
    return call ? [{ ...call, name: call.name.replace('dbt.config', 'config'), line: lineOf(index) }] : []
  })
  return factsOf(calls)
}
