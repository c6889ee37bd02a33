import { escapeInvisible } from '@stagecraft/spec'
import { readVersion } from '../read-version.ts'
import type { CheckFormat } from './check-formats.ts'
import { type Finding, type FindingKind, FINDINGS } from './findings.ts'

/** Prints findings in each format. */
export const PRINTERS: Readonly<Record<CheckFormat, (findings: readonly Finding[]) => string>> = {
  text: printText,
  json: (findings) =>
    `${JSON.stringify({ passed: !findings.some(fails), findings: findings.map((one) => ({ ...one, fails: fails(one) })) }, null, 2)}\n`,
  github: (findings) => findings.map(printAnnotation).join(''),
  sarif: (findings) => `${JSON.stringify(toSarif(findings), null, 2)}\n`,
}

/** Tells whether a finding fails the check. */
export function fails({ kind }: Finding): boolean {
  return FINDINGS[kind].fails
}

function printText(findings: readonly Finding[]): string {
  const lines = findings.map(
    ({ kind, message, path }) => `${kind.padEnd(8)}  ${path}: ${escapeInvisible(message)}\n`,
  )
  const failing = findings.filter(fails).length
  return `${lines.join('')}${failing === 0 ? 'check passed' : `check failed: ${failing} to look at`}\n`
}

/** https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions */
function printAnnotation(finding: Finding): string {
  const level = fails(finding) ? 'error' : 'notice'
  const escape = (text: string): string =>
    text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  const property = (text: string): string => escape(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
  return `::${level} file=${property(finding.path)},title=${property(`stagecraft ${finding.kind}`)}::${escape(escapeInvisible(finding.message))}\n`
}

/** https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html */
function toSarif(findings: readonly Finding[]): object {
  const kinds = Object.keys(FINDINGS) as readonly FindingKind[]
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'stagecraft',
            version: readVersion(),
            rules: kinds.map((id) => ({ id, shortDescription: { text: FINDINGS[id].text } })),
          },
        },
        results: findings.map((finding) => ({
          ruleId: finding.kind,
          level: fails(finding) ? 'error' : 'note',
          message: { text: finding.message },
          locations: [{ physicalLocation: { artifactLocation: { uri: encodeURI(finding.path) } } }],
        })),
      },
    ],
  }
}
