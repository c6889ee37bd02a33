import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect } from 'vitest'
import { createYamlPrinter } from '../../packages/core/src/render/print-yaml.ts'
import { testWithDbt } from './with-dbt.ts'

/** Reads many documents with the loader of dbt v1, which is libyaml where it was built with it. */
const READ = `
import json, sys, yaml
loader = getattr(yaml, 'CSafeLoader', yaml.SafeLoader)
def read(text):
    try: return yaml.load(text, loader)
    except yaml.YAMLError as error: return str(error)
print(json.dumps([read(text) for text in json.load(sys.stdin)]))
`

const PIECES = [
  ...Array.from('=<-.:0y@!%|>#?,[{}\'"\\\t \n\r\u0085\u2028\uFEFF\u202E\u2069\u200B\u00AD\u{E0041}é😀'),
  ...'&a *a << no 12:30 2024-01-01 0o7 1_0 .inf null'.split(' '),
  '\n\n',
  'word word word ',
]

testWithDbt(
  'texts come out of YAML as they went in, for the reader of',
  'dbt-1',
  async ({ program }) => {
    const printYaml = createYamlPrinter()
    const piece = fc.constantFrom(...PIECES)
    const texts = fc.sample(
      fc.array(piece, { minLength: 1, maxLength: 14 }).map((pieces) => pieces.join('')),
      5000,
    )
    const trees = texts.flatMap((text) => [
      [{ [text]: text, list: [text] }],
      [{ name: text, columns: [{ description: `Says ${text}`, data_tests: [text, { values: [text] }] }] }],
    ])
    const { stdout, stderr } = spawnSync(join(dirname(program), 'python'), ['-c', READ], {
      input: JSON.stringify(trees.map((tree) => `${printYaml(tree)}\n`)),
      encoding: 'utf8',
      maxBuffer: 1e8,
    })
    expect(stderr).toBe('')
    const read = JSON.parse(stdout) as unknown[]
    expect(trees.filter((tree, index) => JSON.stringify(tree) !== JSON.stringify(read[index]))).toEqual([])
  },
  60_000,
)
