import { StagecraftError, WARNINGS } from '@stagecraft/spec'
import { ERROR_EXPLANATIONS, type Explanation, WARNING_EXPLANATIONS } from '@stagecraft/spec/explanations'
import { print } from '../terminal/print.ts'
import type { ExplainFlags } from './explain-table.ts'

const EXPLANATIONS: ReadonlyMap<string, Explanation> = new Map(
  Object.entries({ ...ERROR_EXPLANATIONS, ...WARNING_EXPLANATIONS }),
)
const MEANINGS: ReadonlyMap<string, string> = new Map(Object.entries(WARNINGS))

/** `stagecraft explain`: explains a model, a column, a source or a code. */
export async function explainCommand(what: string | undefined, flags: ExplainFlags): Promise<void> {
  if (what === undefined) {
    listCodes()
    return
  }
  const code = what.toUpperCase()
  const explanation = EXPLANATIONS.get(code)
  if (explanation) {
    printCode(code, explanation, flags)
    return
  }
  await assertNoCode(what)
  const { explainTable } = await import('./explain-table.ts')
  await explainTable(what, flags)
}

function listCodes(): void {
  print(`Errors: ${Object.keys(ERROR_EXPLANATIONS).join(', ')}`)
  print(`Warnings: ${Object.keys(WARNING_EXPLANATIONS).join(', ')}`)
}

function printCode(code: string, { cause, remedy }: Explanation, { json }: Pick<ExplainFlags, 'json'>): void {
  const meaning = MEANINGS.get(code)
  if (json) {
    print(JSON.stringify({ code, ...(meaning !== undefined && { meaning }), cause, remedy }, null, 2))
    return
  }
  print(meaning === undefined ? code : `${code}: ${meaning}`)
  print(`\nCause: ${cause}`)
  print(`\nRemedy: ${remedy}`)
}

/** @throws {StagecraftError} INVALID_REQUEST for a misspelled code or a rule of lint, before anything is read. */
async function assertNoCode(what: string): Promise<void> {
  const isRule = /^SC\d{3}$/i.test(what)
  const isLikeCode = /^[A-Z]+(?:_[A-Z]+)+$/.test(what)
  if (!isRule && !isLikeCode) return
  const { nearest } = await import('@stagecraft/analysis')
  const codes = [...EXPLANATIONS.keys()]
  const close = isRule ? undefined : (nearest(what, codes) ?? codes.find((code) => code.includes(what)))
  if (!isRule && close === undefined) return
  const suggestion = isRule
    ? `stagecraft rules ${what.toUpperCase()} explains a rule of lint`
    : `did you mean ${close}? stagecraft explain lists all codes`
  throw StagecraftError.invalid(
    { path: 'what', expected: 'the code of a warning or an error', received: `"${what}"` },
    { suggestion },
  )
}
