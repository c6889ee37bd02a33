import { type ProjectView, projectView, type ToolPorts, TOOLS, type ToolResult } from '@stagecraft/assistant'
import { parseConfig } from '@stagecraft/core'
import { memoryTree } from '@stagecraft/dbt'
import { LINEAGE_FILES } from '../lint/lineage-files.ts'
import { type Files, readFilesAsProject } from '../lint/lint-project.ts'

/** A shop with tests, a description, an exposure, a seed that nothing reads, and the raw table of its orders. */
export const SHOP_FILES: Files = {
  ...LINEAGE_FILES,
  'models/staging.yml': `models:
  - name: stg_shop__orders
    description: One row per order.
    columns:
      - name: order_id
        description: The order.
        data_tests: [unique]
      - name: customer_id
        data_tests:
          - relationships:
              arguments: { to: ref('stg_shop__customers'), field: customer_id }
  - name: fct_orders
    columns:
      - name: total
        description: The gross amt. of the order.
`,
  'tests/no_negative_totals.sql': "select * from {{ ref('fct_orders') }} where total < 0\n",
  'macros/last_order.sql':
    "{% macro last_order() %}select max(order_id) from {{ ref('stg_shop__orders') }}{% endmacro %}\n",
  'seeds/countries.csv': 'code,name\nde,Germany\n',
  'raw-tables.json': JSON.stringify([
    {
      schema: 'shop',
      name: 'orders',
      primaryKey: ['id'],
      columns: [
        { name: 'id', type: 'integer', nullable: false },
        { name: 'customer', type: 'integer', nullable: false },
        { name: 'amount', type: 'numeric(10,2)', nullable: true },
        { name: 'tax', type: 'numeric(10,2)', nullable: true },
        { name: 'deleted', type: 'boolean', nullable: true },
      ],
    },
  ]),
}

/** The view of a project that can be read again with other texts. */
export async function viewOf(files: Files): Promise<ProjectView> {
  const own = Object.entries(files).filter(([path]) => !/^(?:raw|former)-tables\.json$/.test(path))
  return projectView(await readFilesAsProject(files), {
    read: (texts) => readFilesAsProject({ ...files, ...Object.fromEntries(texts) }),
    tree: memoryTree({ 'dbt_project.yml': 'name: shop\n', ...Object.fromEntries(own) }),
    config: parseConfig(files['stagecraft.yml'] ?? '', 'stagecraft.yml'),
    configText: files['stagecraft.yml'],
  })
}

export async function callTool(
  view: ProjectView,
  name: string,
  input: unknown = {},
  ports: ToolPorts = {},
): Promise<ToolResult> {
  const tool = TOOLS.find((one) => one.name === name)
  if (!tool) throw new Error(`there is no tool ${name}`)
  return tool.call(view, input, ports)
}

/** The items of a result as `id file:line`. */
export async function places(view: ProjectView, name: string, input: unknown): Promise<readonly string[]> {
  return (await callTool(view, name, input)).items.map(({ file, id, line }) => `${id} ${file}:${line}`)
}
