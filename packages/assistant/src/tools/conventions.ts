import { settingLines, type SettingLines, wordsOf } from '@stagecraft/core/run'
import { entriesOf } from '@stagecraft/dbt'
import { StagecraftError } from '@stagecraft/spec'
import { z } from '@stagecraft/spec/zod'
import type { ProjectView } from '../project-view.ts'
import { defineTool, type Item, itemSchema } from '../tool.ts'

const count = z.int().min(0).max(100_000_000)

/** The most exceptions to show for a convention. */
const SHOWN = 3
const CONFIG_FILE = 'stagecraft.yml'

/** Lists conventions: first the configured ones, then those of the models. */
export const getConventions = defineTool({
  name: 'get_conventions',
  title: 'Conventions',
  description:
    'Lists how the project names and arranges its staging models: the rules of stagecraft.yml, and those its models follow, with counts and exceptions.',
  input: { topic: z.string().min(1).max(200).optional().describe('words: timestamp, boolean, file') },
  head: { models: count, columns: count },
  item: itemSchema.extend({
    holds: count.optional(),
    of: count.optional(),
    unit: z.string().optional(),
    keys: z.array(z.string()),
    exceptions: z.array(z.string()).optional(),
  }),
  run: async (view, { topic }) => {
    if (!view.conventions)
      throw StagecraftError.invalid({
        path: 'the project',
        expected: 'files to learn from',
        received: 'none',
      })
    const { columns, models, rules, skipped } = await view.conventions()
    const lines = settingLines(view.configText ?? '')
    const learned = rules.map(({ exceptions, keys, support, text }, index) => ({
      id: `convention.${keys[0] ?? index + 1}`,
      kind: 'convention',
      ...placeOf(lines(keys[0]?.split('.') ?? [])),
      text,
      ...support,
      keys: [...keys],
      ...(exceptions.length > 0 && { exceptions: exceptions.slice(0, SHOWN) }),
    }))
    const wanted = topic === undefined ? [] : wordsOf(topic)
    return {
      head: { models, columns },
      items: [...configured(view, lines), ...learned].filter((item) => isAbout(item, wanted)),
      notes: [
        ...(models < FEWEST ? [`only ${models} models could be used`] : []),
        ...(skipped.length > 0
          ? [`${skipped.length} models were skipped, such as those that Stagecraft wrote`]
          : []),
      ],
    }
  },
})

/** The fewest models that show a convention. */
const FEWEST = 3

function configured(view: ProjectView, lines: SettingLines): readonly (Item & { keys: string[] })[] {
  return entriesOf(view.config).flatMap(([path, value]) => {
    const key = path.join('.')
    if (!OWN.test(key)) return []
    return [
      {
        id: `setting.${key}`,
        kind: 'setting',
        ...placeOf(lines(path)),
        text: `${key}: ${JSON.stringify(value)}`,
        keys: [key],
      },
    ]
  })
}

/** Settings about the form of code, without addresses of catalogs and backends. */
const OWN = /^(?:preset|dialect|dbtVersion|options|naming|templates|sources)\b/

function isAbout(
  { keys, text = '' }: { readonly keys: readonly string[]; readonly text?: string | undefined },
  words: readonly string[],
): boolean {
  const own = new Set([...wordsOf(text), ...keys.flatMap((key) => wordsOf(key))])
  const stem = (word: string): string => word.replace(/(?:s|ing|ed)$/, '')
  const stems = new Set([...own].map(stem))
  return words.length === 0 || words.some((word) => stems.has(stem(word)))
}

/** Returns the line of a setting in `stagecraft.yml`, or the project file for a setting that is not configured. */
function placeOf(line: number | undefined): { readonly file: string; readonly line: number } {
  return line === undefined ? { file: 'dbt_project.yml', line: 1 } : { file: CONFIG_FILE, line }
}
