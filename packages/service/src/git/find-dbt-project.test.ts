import { expect, test } from 'vitest'
import { findDbtProject } from './find-dbt-project.ts'

const MODELS = ['models/staging/shop/stg_shop__orders.sql']

test.for([
  ['the root', ['dbt_project.yml', 'models/a.sql'], ''],
  ['a subfolder', ['README.md', 'a/b/dbt_project.yml'], 'a/b'],
  ['the root beside one that tests it', ['dbt_project.yml', 'integration_tests/dbt_project.yml'], ''],
  ['one beside those of packages', ['a/dbt_project.yml', 'a/dbt_packages/x/dbt_project.yml'], 'a'],
  ['none', ['README.md', 'dbt_project.yml.old', 'a/my_dbt_project.yml'], undefined],
] as const)('finds %s', ([, paths, folder]) => {
  expect(findDbtProject(paths, { files: MODELS, folder: undefined })).toBe(folder)
})

test('takes the one that the generated files lie in, else the one that is named', () => {
  const paths = ['dbt_project.yml', 'a/dbt_project.yml', 'b/dbt_project.yml']
  const files = ['a/models/x.sql', 'a/models/y.yml']
  expect(findDbtProject(paths, { files, folder: undefined })).toBe('a')
  expect(findDbtProject(paths, { files, folder: 'b' })).toBe('b')
  expect(findDbtProject(paths, { files, folder: '.' })).toBe('')
})

test('refuses to guess, and names the folders', () => {
  const paths = ['a/dbt_project.yml', 'b/dbt_project.yml']
  expect(() => findDbtProject(paths, { files: MODELS, folder: undefined })).toThrow(
    'git.path: expected the folder of the dbt project, got none; set git.path of the project to one of: a, b',
  )
  expect(() => findDbtProject(paths, { files: ['a/x.sql', 'b/x.sql'], folder: undefined })).toThrow('one of')
  expect(() => findDbtProject(paths, { files: MODELS, folder: 'c' })).toThrow(
    'git.path: expected a folder with dbt_project.yml, got "c"; set git.path of the project to one of: a, b',
  )
  expect(() => findDbtProject([], { files: MODELS, folder: 'c' })).toThrow(
    'add dbt_project.yml to the branch',
  )
})
