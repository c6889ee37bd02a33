import { StagecraftError, WARNINGS } from '@stagecraft/spec'
import { ERROR_EXPLANATIONS, type Explanation, WARNING_EXPLANATIONS } from '@stagecraft/spec/explanations'
import { print } from '../terminal/print.ts'

const EXPLANATIONS: ReadonlyMap<string, Explanation> = new Map(
  Object.entries({ ...ERROR_EXPLANATIONS, ...WARNING_EXPLANATIONS }),
)
const MEANINGS: ReadonlyMap<string, string> = new Map(Object.entries(WARNINGS))

/** `stagecraft explain`: prints cause and remedy of a code, or lists all codes. */
export function explainCommand(code: string | undefined): void {
  if (code === undefined) {
    print(`Errors: ${Object.keys(ERROR_EXPLANATIONS).join(', ')}`)
    print(`Warnings: ${Object.keys(WARNING_EXPLANATIONS).join(', ')}`)
    return
  }
  const name = code.toUpperCase()
  const explanation = EXPLANATIONS.get(name)
  if (explanation === undefined) {
    throw new StagecraftError(
      'INVALID_REQUEST',
      `code: expected the code of a warning or an error, got "${code}"`,
      {
        details: { suggestion: 'stagecraft explain lists all codes' },
      },
    )
  }
  const meaning = MEANINGS.get(name)
  print(meaning === undefined ? name : `${name}: ${meaning}`)
  print(`\nCause: ${explanation.cause}`)
  print(`\nRemedy: ${explanation.remedy}`)
}
