// The examples in `deploy/` name commands, variables, paths and metrics: all of them are there.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { createMetrics } from '../packages/cli/src/serve/metrics.ts'
import { MIGRATIONS } from '../packages/service/src/store/migrations/index.ts'
import { repositoryPath } from './paths.ts'
import { describeEachStore } from './service/each-store.ts'
import { addProject, openTestContext } from './service/open-test-context.ts'
import { queuedJob } from '../packages/service/src/jobs/lease.ts'

const read = (name: string): string => readFileSync(repositoryPath(name), 'utf8')

await describeEachStore('the metrics', MIGRATIONS, (open) => {
  test('that rules and dashboard ask for are those that the service counts', async () => {
    const context = openTestContext(await open())
    const printed = await createMetrics(context).print()
    const known = new Set(printed.match(/^# TYPE (\S+)/gm)?.map((line) => line.slice('# TYPE '.length)))
    const asked = `${read('deploy/prometheus-rules.yaml')}${read('deploy/grafana-dashboard.json')}`
    const names = asked.match(/\b(?:stagecraft|nodejs|process)_\w+/g) ?? []
    const plain = new Set(
      names.map((name) => (known.has(name) ? name : name.replace(/_(?:count|bucket|sum)$/, ''))),
    )
    expect([...plain].filter((name) => !known.has(name))).toEqual([])
    expect(plain.size).toBeGreaterThan(10)
  })

  test('say how many jobs wait, of which kind, and for how long', async () => {
    const context = openTestContext(await open())
    const { projectId } = await addProject(context)
    const now = await context.store.now()
    for (const [index, ago] of [90_000, 30_000].entries()) {
      const job = {
        ...queuedJob(now - ago),
        id: `scan_${index}`,
        project_id: projectId,
        connection_id: 'conn_1',
      }
      const empty = {
        profile: 0 as const,
        max_rows: null,
        max_bytes: null,
        warnings: null,
        progress: null,
        tables: null,
      }
      await context.store.db
        .insertInto('scans')
        .values({ ...job, ...empty, columns: null, changes: null })
        .execute()
    }
    const printed = await createMetrics(context).print()
    expect(printed).toContain('stagecraft_jobs{kind="scans",state="queued"} 2')
    expect(printed).toContain('stagecraft_jobs{kind="pushes",state="queued"} 0')
    expect(
      Number(/stagecraft_job_oldest_due_seconds\{kind="scans"\} (\S+)/.exec(printed)?.[1]),
    ).toBeGreaterThanOrEqual(90)
  })
})

test('the files are read, and every variable in them is one that the service knows', () => {
  for (const name of ['deploy/compose.yaml', 'deploy/prometheus-rules.yaml'])
    expect(parse(read(name))).toBeTypeOf('object')
  const manifests = parseAllDocuments(read('deploy/kubernetes.yaml'))
  expect(manifests.flatMap(({ errors }) => errors)).toEqual([])
  expect(manifests.map((document) => (document.toJS() as { readonly kind: string }).kind)).toEqual([
    'Job',
    'Deployment',
    'Service',
    'PodDisruptionBudget',
  ])
  const files = ['Dockerfile', 'deploy/compose.yaml', 'deploy/kubernetes.yaml', 'deploy/stagecraft.service']
  const variables = new Set(files.flatMap((name) => read(name).match(/STAGECRAFT_[A-Z_]+/g) ?? []))
  const documented = read('docs/how-to/run-the-service.md')
  expect([...variables].filter((name) => !documented.includes(`| \`${name}\``))).toEqual([])
})

test('the images carry one version of the drivers, which is that of the tests', () => {
  const catalog = (parse(read('pnpm-workspace.yaml')) as { readonly catalog: Record<string, string> }).catalog
  expect(read('Dockerfile')).toContain(`@duckdb/node-api@${catalog['@duckdb/node-api']}`)
})
