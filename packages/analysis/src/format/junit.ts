import { escapeInvisible } from '@stagecraft/spec'
import type { Finding, Report, ReportedRule, UncheckedSubject } from '../finding.ts'
import type { FormatOptions } from './format-options.ts'

/**
 * Prints a report as JUnit XML: a suite for each rule, with a failed test for each file with findings, or one that
 * passes. Unchecked parts are skipped. Notes do not fail.
 */
export function printJunit(report: Report, { prefix = '' }: FormatOptions): string {
  const suites = report.rules.map((rule) => {
    const findings = report.findings.filter((finding) => finding.rule === rule.id)
    const unchecked = report.unchecked.filter((one) => one.rule === rule.id)
    return toSuite(rule, { findings, prefix, unchecked })
  })
  const sum = (of: (suite: Suite) => number): number => suites.reduce((total, suite) => total + of(suite), 0)
  const counts = { tests: sum(({ tests }) => tests), failures: sum(({ failures }) => failures), errors: 0 }
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: 'stagecraft', ...counts })}>`,
    ...suites.flatMap(({ lines }) => lines),
    '</testsuites>',
    '',
  ].join('\n')
}

interface Suite {
  readonly lines: readonly string[]
  readonly tests: number
  readonly failures: number
}

interface SuiteContents {
  readonly findings: readonly Finding[]
  readonly unchecked: readonly UncheckedSubject[]
  readonly prefix: string
}

function toSuite(rule: ReportedRule, { findings, prefix, unchecked }: SuiteContents): Suite {
  const files = [...Map.groupBy(findings, ({ path }) => path)]
  const isClean = files.length + unchecked.length === 0
  const cases = [
    ...files.map(([path, own]) => toCase(rule, `${prefix}${path}`, own)),
    ...unchecked.map(({ reason, subject }) =>
      printCase(rule, `${subject.kind} ${subject.name}`, `<skipped${attributes({ message: reason })}/>`),
    ),
    ...(isClean ? [printCase(rule, 'no findings')] : []),
  ]
  const failures = files.filter(([, own]) => own.some(isFailure)).length
  const counts = { tests: cases.length, failures, errors: 0, skipped: unchecked.length }
  const name = `${rule.id} ${rule.summary}`
  const lines = [`  <testsuite${attributes({ name, ...counts })}>`, ...cases, '  </testsuite>']
  return { lines, tests: cases.length, failures }
}

function isFailure({ severity }: Finding): boolean {
  return severity !== 'info'
}

/** Prints the test of a file, with the first finding as its message and all findings as its text. */
function toCase(rule: ReportedRule, path: string, findings: readonly Finding[]): string {
  const [first] = findings
  const text = findings
    .map(({ help, line, message, start }) =>
      [`${path}:${start.line}:${start.column} ${message}`, line, help]
        .filter((part) => part !== '')
        .join('\n'),
    )
    .join('\n\n')
  if (!first || !isFailure(first)) return printCase(rule, path, `<system-out>${escape(text)}</system-out>`)
  const rest = findings.length > 1 ? ` and ${findings.length - 1} more` : ''
  const message = `line ${first.start.line}: ${first.message}${rest}`
  return printCase(
    rule,
    path,
    `<failure${attributes({ type: first.severity, message })}>${escape(text)}</failure>`,
  )
}

function printCase({ id, name }: ReportedRule, title: string, body?: string): string {
  const opening = `    <testcase${attributes({ classname: `stagecraft.${id}.${name}`, name: title })}`
  return body === undefined ? `${opening}/>` : `${opening}>${body}</testcase>`
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([key, value]) => ` ${key}="${escape(String(value)).replaceAll(/[\t\n\r]/g, ' ')}"`)
    .join('')
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Control characters, most of which XML 1.0 does not allow, even escaped. */
const UNWRITABLE = /(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/gu

function escape(text: string): string {
  return escapeInvisible(text.toWellFormed())
    .replaceAll(UNWRITABLE, '\ufffd')
    .replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character)
}
