import type { Finding, Report, ReportedRule, SuppressedFinding } from '../finding.ts'
import type { FormatOptions } from './format-options.ts'

const LEVELS = { error: 'error', warning: 'warning', info: 'note' } as const

/** SARIF's terms for suppressions inside a file of the project and elsewhere. */
const SUPPRESSION_KINDS = {
  comment: 'inSource',
  properties: 'inSource',
  configuration: 'external',
  baseline: 'external',
} as const

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json'

/** Prints a report as SARIF 2.1.0, for code scanning and editors. */
export function printSarif(report: Report, { prefix = '', version }: FormatOptions): string {
  const { rules } = report
  const indexes = new Map(rules.map(({ id }, index) => [id, index]))
  const toResult = (finding: Finding): object => ({
    ruleId: finding.rule,
    ruleIndex: indexes.get(finding.rule) ?? -1,
    level: LEVELS[finding.severity],
    message: { text: `${finding.message}; ${finding.help}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: toUri(`${prefix}${finding.path}`) },
          region: regionOf(finding),
        },
      },
    ],
    partialFingerprints: { 'stagecraft/v1': finding.fingerprint },
  })
  const log = {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'stagecraft', version, rules: rules.map(toRule) } },
        columnKind: 'utf16CodeUnits',
        invocations: [{ executionSuccessful: true, toolExecutionNotifications: notifications(report) }],
        results: [
          ...report.findings.map(toResult),
          ...report.suppressed.map((one) => ({
            ...toResult(one.finding),
            ...(one.kind === 'baseline' && { baselineState: 'unchanged' }),
            suppressions: [toSuppression(one)],
          })),
        ],
      },
    ],
  }
  return `${JSON.stringify(log, null, 2)}\n`
}

function toRule({ docs, group, id, name, severity, summary }: ReportedRule): object {
  return {
    id,
    name,
    shortDescription: { text: summary },
    ...(docs && {
      fullDescription: { text: docs.why },
      help: {
        text: docs.remedy,
        markdown: `${docs.why}\n\n\`\`\`${docs.example.language}\n${docs.example.code}\n\`\`\`\n\n${docs.remedy}`,
      },
    }),
    defaultConfiguration: { level: LEVELS[severity] },
    properties: { tags: ['dbt', group] },
  }
}

function regionOf({ end, start }: Finding): object {
  return { startLine: start.line, startColumn: start.column, endLine: end.line, endColumn: end.column }
}

function toSuppression({ kind, reason }: SuppressedFinding): object {
  return { kind: SUPPRESSION_KINDS[kind], ...(reason !== undefined && { justification: reason }) }
}

/** Reports files that were not checked as notifications of the tool, so that they do not look clean. */
function notifications({ unchecked }: Report): readonly object[] {
  return unchecked.map(({ reason, rule, subject }) => ({
    level: 'note',
    associatedRule: { id: rule },
    message: { text: `not checked: ${subject.kind} ${subject.name}: ${reason}` },
  }))
}

function toUri(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}
