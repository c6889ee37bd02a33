// What the workflow `release` publishes, and when. Its form is checked in deploy-files.long.test.ts.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { blocksOf } from '../docs/pages.ts'
import { repositoryPath } from '../paths.ts'

interface Step {
  readonly uses?: string
  readonly run?: string
  readonly if?: string
  readonly with?: Readonly<Record<string, unknown>>
  readonly env?: Readonly<Record<string, string>>
}

interface Job {
  readonly permissions: Readonly<Record<string, string>>
  readonly steps: readonly Step[]
}

const { jobs } = parse(readFileSync(repositoryPath('.github/workflows/release.yml'), 'utf8')) as {
  readonly jobs: Readonly<Record<string, Job>>
}
const STEPS = Object.values(jobs).flatMap(({ steps }) => steps)

const PUBLISHES = /gh release|gh-action-pypi-publish|deploy-pages|twine upload/

test('a run by hand publishes nothing', () => {
  const publishing = STEPS.filter(({ run = '', uses = '' }) => PUBLISHES.test(run + uses))
  expect(publishing).toHaveLength(4)
  expect(publishing.filter((step) => step.if !== "github.event_name == 'push'")).toEqual([])
  const npm = STEPS.filter(({ run = '' }) => run.includes(' publish '))
  expect(npm).toEqual([
    expect.objectContaining({
      run: expect.stringMatching(/\$DRY_RUN$/) as string,
      env: expect.objectContaining({
        DRY_RUN: "${{ github.event_name != 'push' && '--dry-run' || '' }}",
      }) as object,
    }),
  ])
})

test('both registries get provenance', () => {
  for (const name of ['publish', 'python-client'])
    expect(jobs[name]?.permissions).toMatchObject({ 'id-token': 'write' })
  const npm = STEPS.find(({ run = '' }) => run.includes(' publish '))
  expect(npm?.env).toHaveProperty('NPM_CONFIG_PROVENANCE')
  const python = STEPS.find(({ uses = '' }) => uses.includes('gh-action-pypi-publish'))
  expect(python?.with).toMatchObject({ attestations: true })
})

test('the release has the executable, its wheel, and the wheel of the Python client, built as its page says', () => {
  const commands = STEPS.flatMap(({ run = '' }) => run.split('\n'))
  const attached = commands.filter((command) => command.startsWith('gh release')).join(' ')
  for (const file of ['stagecraft.cdx.json', 'dist/stagecraft', 'dist/*.whl', 'dist/python/*.whl'])
    expect(attached.split(' ')).toContain(file)
  const page = blocksOf('clients/python/README.md').find(({ text }) => text.includes('pip wheel'))?.text ?? ''
  const build = page.split('\n').flatMap((line) => /^(npm run|pip wheel)[^#]*/.exec(line)?.[0].trim() ?? [])
  expect(build).toHaveLength(3)
  expect(commands).toEqual(expect.arrayContaining(build))
})
