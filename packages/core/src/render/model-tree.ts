import type { Description, Plan, PlannedColumn, PlannedTest } from '../plan/plan.ts'
import type { YamlProfile } from '../yaml/profiles.ts'
import { escapeJinja } from '../sql/jinja.ts'
import { printDescription } from './describe.ts'
import { type PropertyTree, withoutEmpty } from './property-tree.ts'

/** The entry of a model in its YAML file. */
export function modelTree(plan: Plan, profile: YamlProfile): PropertyTree {
  const { contract, description, name, tests } = plan.model
  return withoutEmpty({
    name,
    description: printDescription(description),
    ...withOrigin(description, contract ? { contract: { enforced: true } } : {}, profile),
    data_tests: tests.map((test) => testTree(test, plan, profile)),
    columns: plan.columns.map((column) => columnTree(column, plan, profile)),
  })
}

function columnTree(column: PlannedColumn, plan: Plan, profile: YamlProfile): PropertyTree {
  return withoutEmpty({
    name: escapeJinja(column.name),
    quote: column.quoted || undefined,
    description: printDescription(column.description),
    ...withOrigin(column.description, {}, profile),
    data_type: plan.model.dataTypes ? column.dataType : undefined,
    data_tests: column.tests.map((test) => testTree(test, plan, profile)),
  })
}

/** Says of a description that a model wrote it, so that people know what to check. */
function withOrigin(
  description: Description | undefined,
  config: PropertyTree,
  { metaInConfig }: YamlProfile,
): PropertyTree {
  if (description?.origin !== 'llm') return { config }
  const meta = { stagecraft: { description: 'llm' } }
  return metaInConfig ? { config: { ...config, meta } } : { config, meta }
}

/** The bare name when there is nothing to add. */
function testTree(test: PlannedTest, plan: Plan, profile: YamlProfile): string | PropertyTree {
  const config = withoutEmpty({
    severity: test.severity === 'warn' ? 'warn' : undefined,
    meta: plan.style.testReasons ? { stagecraft: { evidence: test.evidence } } : undefined,
  })
  const body = withoutEmpty({
    name: test.label,
    ...(profile.testArguments ? { arguments: test.arguments } : test.arguments),
    config,
  })
  return Object.keys(body).length === 0 ? test.name : { [test.name]: body }
}
