import { expect, test } from 'vitest'
import { chooseProfile } from './choose-profile.ts'

const project = (requireDbtVersion?: string, testArgumentsProperty = true) => ({
  models: [],
  packages: [],
  requireDbtVersion,
  testArgumentsProperty,
})

test.each([
  ['2', 'modern'],
  ['2.0.5', 'modern'],
  ['1.11', 'modern'],
  ['1.10.8', 'modern'],
  ['1.10.7', 'legacy-1.9'],
  ['1.10', 'legacy-1.9'],
  ['1.9.4', 'legacy-1.9'],
  ['1.8', 'legacy-1.8'],
  ['legacy-1.8', 'legacy-1.8'],
])('dbt %s reads %s', (version, name) => {
  expect(chooseProfile(version, undefined).name).toBe(name)
})

test.each([
  ['>=1.8.0,<2.0.0', 'legacy-1.8'],
  ['>=1.9.0', 'legacy-1.9'],
  ['>=1.11.0,<3.0.0', 'modern'],
  ['=1.9.2', 'legacy-1.9'],
  ['1.10.12', 'modern'],
  ['>1.9.9', 'legacy-1.9'],
  ['<2.0.0', 'modern'],
  ['<2.0.0,>=1.8.3', 'legacy-1.8'],
  ['>=1.3.0,<3.0.0', 'legacy-1.8'],
])('require-dbt-version %s asks for %s', (range, name) => {
  expect(chooseProfile(undefined, project(range)).name).toBe(name)
})

test('is modern when nothing is known', () => {
  expect(chooseProfile(undefined, undefined).name).toBe('modern')
})

test('writes flat test arguments where the project switched the property off', () => {
  expect(chooseProfile(undefined, project('>=1.11', false)).name).toBe('legacy-1.9')
})

test.each(['1.7', 'one', '1.7.9', ''])('refuses %j', (version) => {
  expect(() => chooseProfile(version, undefined)).toThrow('expected a dbt version from 1.8 on')
})
