import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createDocument } from '@stagecraft/http'
import { RE2JS } from 're2js'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../cli/run-cli.ts'

/**
 * What the patterns are tried on. None ends in a line break: `$` means the very end to ECMAScript and Go, and to Python
 * and Java also the place before a last line break; no pattern can say it to all of them.
 */
const EXAMPLES = [
  '',
  'a',
  'Payments',
  'proj_01kqabc',
  'proj_',
  'unit_A',
  'req_0',
  'SC101',
  'customers.id',
  'xproj_1',
  'proj_1x!',
  'a<b>',
  'a_{name}',
  '2026-11-21',
  'é 日本語 😀',
  '\0',
  'a\0b',
  'a\nb',
  '\n a',
  'a\tb',
  '\u001f',
  '\u007f',
  'a\u0080b',
  '\u009f.',
  '\u00a0',
  '\u2028x',
  '\\',
  ']',
]

const DOCUMENT: unknown = JSON.parse(JSON.stringify(createDocument({ api: true, metrics: true })))
const PATTERNS = [...new Set(patternsOf(DOCUMENT))].toSorted()

/** An id of each kind that there is. */
const IDS = PATTERNS.flatMap((pattern) => /^\^(\w+_)/.exec(pattern)?.[1] ?? []).map(
  (prefix) => `${prefix}0Az`,
)

const TEXTS = [...EXAMPLES, ...IDS]

/** Every pattern of the document, also those of names. */
function patternsOf(node: unknown): readonly string[] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([key, value]: [string, unknown]) => {
    if (key === 'pattern' && typeof value === 'string') return [value]
    const names = key === 'patternProperties' ? Object.keys(value ?? {}) : []
    return [...names, ...patternsOf(value)]
  })
}

const VERDICTS = PATTERNS.map((pattern) => TEXTS.map((text) => new RegExp(pattern, 'u').test(text)))

describe('the patterns of the document', () => {
  test('exist, and the examples distinguish them', () => {
    expect(PATTERNS.length).toBeGreaterThan(5)
    for (const verdicts of VERDICTS) expect(new Set(verdicts).size).toBe(2)
  })

  test('match the same without the Unicode flag', () => {
    const plain = PATTERNS.map((pattern) => TEXTS.map((text) => new RegExp(pattern).test(text)))
    expect(plain).toEqual(VERDICTS)
  })

  test('match the same in RE2, the engine of Go', () => {
    const read = PATTERNS.map((pattern) => TEXTS.map((text) => RE2JS.compile(pattern).matcher(text).find()))
    expect(read).toEqual(VERDICTS)
  })

  test.skipIf(!runs('python3', '--version'))('match the same in Python', () => {
    const script =
      'import json, re, sys\npatterns, texts = json.load(sys.stdin)\nprint(json.dumps([[bool(re.search(p, t)) for t in texts] for p in patterns]))'
    expect(ask('python3', ['-c', script])).toEqual(VERDICTS)
  })

  test.skipIf(!runs('java', '--version'))('match the same in Java', () => {
    const file = join(temporaryFolder(), 'Patterns.java')
    writeFileSync(file, javaProgram())
    expect(ask('java', [file])).toEqual(VERDICTS)
  })
})

function runs(program: string, flag: string): boolean {
  return spawnSync(program, [flag]).status === 0
}

function ask(program: string, parameters: readonly string[]): unknown {
  const input = JSON.stringify([PATTERNS, TEXTS])
  const { stderr, stdout } = spawnSync(program, parameters, { input, encoding: 'utf8' })
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

/** A string of Java is written as one of JSON, as far as these texts go. */
function javaProgram(): string {
  const list = (texts: readonly string[]): string => texts.map((text) => javaText(text)).join(', ')
  return `public class Patterns { public static void main(String[] ignored) {
    String[] patterns = { ${list(PATTERNS)} }, texts = { ${list(TEXTS)} };
    var rows = new java.util.ArrayList<String>();
    for (String pattern : patterns) {
      var row = new java.util.ArrayList<String>();
      for (String text : texts) row.add("" + java.util.regex.Pattern.compile(pattern).matcher(text).find());
      rows.add(row.toString());
    }
    System.out.println(rows);
  } }`
}

/** Escapes of the language itself, such as \\u000a, would be read before the text is. */
function javaText(text: string): string {
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index))
  return `"" + ${['""', ...units.map((unit) => `(char) ${unit}`)].join(' + ')}`
}
