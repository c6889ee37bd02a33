import type { DocumentedAnswer, OpenApiDocument } from '../document/types.ts'
import { jsonBlock, prose } from './html.ts'

interface Failure {
  readonly status: string
  readonly description: string
  readonly example: unknown
}

/** Returns the error codes of a response; empty for a success. */
export function codesOf({ $ref, content }: DocumentedAnswer): readonly string[] {
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf('/') + 1).split('-')
  const { examples = {}, schema } = content?.['application/json'] ?? {}
  return schema?.['$ref'] === '#/components/schemas/ErrorEnvelope' ? Object.keys(examples) : []
}

/** Returns the failures by code. */
export function collectFailures({ components, paths }: OpenApiDocument): ReadonlyMap<string, Failure> {
  const answers = Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ responses }) => Object.entries(responses)),
  )
  const failures = new Map<string, Failure>()
  for (const [status, answer] of answers) {
    const name = answer.$ref?.slice(answer.$ref.lastIndexOf('/') + 1)
    const { content, description = '' } = name === undefined ? answer : (components.responses[name] ?? answer)
    for (const code of codesOf(answer)) {
      const example = content?.['application/json']?.examples?.[code]?.value
      const own = description.split(/(?=`[A-Z_]+`: )/).find((part) => part.startsWith(`\`${code}\``))
      failures.set(code, { status, description: own?.replace(/^`\w+`: /, '') ?? description, example })
    }
  }
  return failures
}

export function printFailures(failures: ReadonlyMap<string, Failure>): string {
  const parts = [...failures].map(([code, { description, example, status }]) =>
    [
      `<h3 id="${code}">${status} ${code}</h3>`,
      `<p>${prose(description)}</p>`,
      `<details><summary>Example</summary>\n${jsonBlock(example)}\n</details>`,
    ].join('\n'),
  )
  return `<h2 id="failures">Failures</h2>\n${parts.join('\n')}`
}
