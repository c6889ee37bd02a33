import { layerOf } from '@stagecraft/dbt'
import { findRule, nearest, type Rule, RULES } from '@stagecraft/analysis'
import { StagecraftError, WARNINGS } from '@stagecraft/spec'
import { ERROR_EXPLANATIONS, WARNING_EXPLANATIONS } from '@stagecraft/spec/explanations'
import { z } from '@stagecraft/spec/zod'
import { cleanText } from '../clean-text.ts'
import type { ProjectView } from '../project-view.ts'
import { findResource, type Found, lookUp } from '../resources.ts'
import { testsOf } from '../tests.ts'
import { defineTool, type Item, itemSchema } from '../tool.ts'

/** The meaning of a term, and its places in the project. */
interface Meaning {
  readonly head: {
    topic: string
    about: 'rule' | 'warning' | 'error' | 'test' | 'name'
    meaning: string
    cause?: string
    remedy?: string
  }
  readonly items: readonly Item[]
}

/** The built-in data tests of dbt. https://docs.getdbt.com/reference/resource-properties/data-tests */
export const DBT_TESTS: ReadonlyMap<string, string> = new Map([
  ['unique', 'fails for every value that occurs more than once; nulls are ignored'],
  ['not_null', 'fails for every row where the column is null'],
  ['accepted_values', 'fails for every value that is not in the list; nulls pass'],
  ['relationships', 'fails for every value that is missing from the field of the other relation; nulls pass'],
])

/** Explains rules, codes, tests and names. */
export const explain = defineTool({
  name: 'explain',
  title: 'Explain a rule, warning, test or name',
  description:
    'Explains a lint rule (SC107, untested-key), a warning or error code (NAME_COLLISION), a test (not_null) or a name of the project. Items are the places where it occurs.',
  input: { topic: z.string().min(1).max(300) },
  head: {
    topic: z.string(),
    about: z.enum(['rule', 'warning', 'error', 'test', 'name']),
    meaning: z.string(),
    cause: z.string().optional(),
    remedy: z.string().optional(),
  },
  item: itemSchema,
  run: (view, { topic }) => {
    const rule = findRule(topic)
    if (rule) return explainRule(view, rule)
    const found = explainCode(topic.toUpperCase()) ?? explainTest(view, topic)
    if (found) return found
    const resource = lookUp(view, topic)
    if (resource) return explainName(view, topic, resource)
    throw unknownTopic(view, topic)
  },
})

function unknownTopic(view: ProjectView, topic: string): unknown {
  const codes = [...Object.keys(WARNING_EXPLANATIONS), ...Object.keys(ERROR_EXPLANATIONS)]
  const names = [...RULES.map(({ name }) => name), ...codes, ...view.lineage.nodes.map(({ name }) => name)]
  const close = nearest(topic, names)
  return StagecraftError.invalid(
    {
      path: 'topic',
      expected: 'a lint rule, a warning or error code, a test, or a name of the project',
      received: JSON.stringify(cleanText(topic, 100)),
    },
    close === undefined ? {} : { suggestion: `the closest is ${JSON.stringify(cleanText(close, 100))}` },
  )
}

function explainRule(view: ProjectView, { docs, id, name, summary }: Rule): Meaning {
  return {
    head: { topic: `${id} ${name}`, about: 'rule', meaning: summary, cause: docs.why, remedy: docs.remedy },
    items: view
      .report()
      .findings.filter(({ rule }) => rule === id)
      .map(({ fingerprint, message, path, start }) => ({
        id: `finding.${fingerprint.slice(0, 16)}`,
        kind: 'finding',
        file: path,
        line: start.line,
        text: message,
      })),
  }
}

const MEANINGS: ReadonlyMap<string, string> = new Map(Object.entries(WARNINGS))
const OF_WARNINGS = new Map(Object.entries(WARNING_EXPLANATIONS))
const OF_ERRORS = new Map(Object.entries(ERROR_EXPLANATIONS))

function explainCode(code: string): Meaning | undefined {
  const [warning, error] = [OF_WARNINGS.get(code), OF_ERRORS.get(code)]
  const found = warning ?? error
  if (!found) return undefined
  const { cause, remedy } = found
  return {
    head: {
      topic: code,
      about: warning ? 'warning' : 'error',
      meaning: MEANINGS.get(code) ?? cause,
      cause,
      remedy,
    },
    items: [],
  }
}

/** Finds a test by its name: one of dbt, or one that the project declares. */
function explainTest(view: ProjectView, topic: string): Meaning | undefined {
  const name = topic.toLowerCase()
  const items = view.lineage.nodes
    .flatMap((node) => testsOf(view, node))
    .filter((test) => test.name.toLowerCase() === name)
    .map(({ id, line, path, text }) => ({ id, kind: 'test', file: path, line, text }))
  const meaning = DBT_TESTS.get(name)
  if (meaning === undefined && items.length === 0) return undefined
  const other = 'a test of the project or of a package; read its macro or file to see what it checks'
  return { head: { topic: name, about: 'test', meaning: meaning ?? other }, items }
}

/** Describes a relation by its layer and what it reads, and a column by its relation. */
function explainName(view: ProjectView, topic: string, found: Found): Meaning {
  const { node } = findResource(view, found.node.id)
  const model = view.models.get(node.id)
  const layer = model && layerOf(model)
  const parents = view.lineage.edges.filter(({ to }) => to === node.id)
  const reads =
    parents.length === 0 ? '' : `, which reads ${[...new Set(parents.map(({ from }) => from))].join(', ')}`
  const whole = `${layer === undefined ? '' : `${layer} `}${node.kind} ${node.name}${reads}`
  return {
    head: {
      topic,
      about: 'name',
      meaning: found.column === undefined ? whole : `column ${found.column} of ${whole}`,
      ...(model && {
        remedy: 'stagecraft explain gives the reasons for the names, tests and values of a generated model',
      }),
    },
    items: [
      { id: node.id, kind: node.kind, file: node.path, line: node.line },
      ...parents.map(({ from, line, path }) => ({
        id: from,
        kind: from.split('.')[0] ?? '',
        file: path,
        line,
        text: 'read here',
      })),
    ],
  }
}
