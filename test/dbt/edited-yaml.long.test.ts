import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { editYaml } from '@stagecraft/dbt'
import { expect } from 'vitest'
import { readProperties, withoutEmpty } from '../properties/compare-edits.ts'
import { drawEdit, editData } from '../properties/edits-as-data.ts'
import { seededRandom, writeYaml } from '../properties/hand-written-yaml.ts'
import { testWithDbt } from './with-dbt.ts'

/** Reads many documents with the loader of dbt v1, which is libyaml where it was built with it. */
const READ = `
import json, sys, yaml
loader = getattr(yaml, 'CSafeLoader', yaml.SafeLoader)
def read(text):
    try: return yaml.load(text, loader)
    except yaml.YAMLError as error: return str(error)
print(json.dumps([read(text) for text in json.load(sys.stdin)], default=str))
`

/** The readers differ on whether a block scalar ends with a line break where the file ends without one. */
function plain(data: unknown): unknown {
  return JSON.parse(JSON.stringify(withoutEmpty(data)).replaceAll(/(?:\\n)+"/g, '"'))
}

testWithDbt(
  'edited properties say what was meant to the reader of',
  'dbt-1',
  async ({ program }) => {
    const edited = Array.from({ length: 400 }, (_, seed) => {
      const text = writeYaml(seed)
      const before = readProperties(text)
      const edit = drawEdit(seededRandom(seed), before)
      const { outcomes, text: after } = editYaml({ path: 'schema.yml', text }, [edit])
      if (outcomes[0]?.status === 'done') editData(before, edit)
      return { after, meant: before }
    })
    const { stderr, stdout } = spawnSync(join(dirname(program), 'python'), ['-c', READ], {
      input: JSON.stringify(edited.map(({ after }) => after)),
      encoding: 'utf8',
      maxBuffer: 1e8,
    })
    expect(stderr).toBe('')
    const read = JSON.parse(stdout) as unknown[]
    const wrong = edited.flatMap(({ after, meant }, index) =>
      isDeepStrictEqual(plain(meant), plain(read[index] ?? {})) ? [] : [{ after, meant, read: read[index] }],
    )
    expect(wrong.slice(0, 2)).toEqual([])
    expect(wrong).toHaveLength(0)
  },
  60_000,
)
