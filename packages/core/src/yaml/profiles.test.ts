import { expect, test } from 'vitest'
import { chooseProfile } from './profiles.ts'

const project = (requireDbtVersion?: string, testArgumentsProperty = true, installedDbtVersion?: string) => ({
  models: [],
  packages: [],
  requireDbtVersion,
  installedDbtVersion,
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
  ['1.7', 'legacy-1.7'],
])('dbt %s reads %s', (version, name) => {
  expect(chooseProfile(version, undefined).name).toBe(name)
})

test.each([
  ['>=1.5', 'modern'],
  ['>=1.5.0', 'modern'],
  ['>= 1.5.0', 'modern'],
  ['>=1.8.0,<2.0.0', 'modern'],
  ['<2.0.0,>=1.8.3', 'modern'],
  ['>=1.8.0 <3.0.0', 'modern'],
  ['>=1.8.0<3.0.0', 'modern'],
  ['>1.9.9', 'modern'],
  ['<2.0.0', 'modern'],
  ['<2', 'modern'],
  ['>=2.0.0-preview.1', 'modern'],
  ['', 'modern'],
  ['>=1.9.0,<1.11.0', 'modern'],
  ['<=1.10.8', 'modern'],
  ['<1.10.9', 'modern'],
  ['<1.10.9,!=1.10.8', 'legacy-1.9'],
  ['>=1.6.0,!=1.10.8,!=1.11.0', 'modern'],
  ['<1.10.8', 'legacy-1.9'],
  ['<1.10.8-rc1', 'legacy-1.9'],
  ['<=1.10.8-rc1', 'legacy-1.9'],
  ['>=1.6.0,<1.10.0', 'legacy-1.9'],
  ['>=1.8.0,<1.9.0', 'legacy-1.8'],
  ['<1.9.0b1', 'legacy-1.8'],
  ['<=1.9.0', 'legacy-1.9'],
  ['>=1.3.0,<1.4.0', 'legacy-1.7'],
  ['=1.7.3', 'legacy-1.7'],
  ['>=1.5.0,<1.8.0', 'legacy-1.7'],
  ['>=1.6.0 <1.8.0-b1', 'legacy-1.7'],
  ['~=1.7.0', 'legacy-1.7'],
  ['1.7.*', 'legacy-1.7'],
  ['>=1.7.0,<=1.8.0', 'legacy-1.8'],
  ['>=1.7.0,!=1.7.3', 'modern'],
  ['=1.9.2', 'legacy-1.9'],
  ['==1.9.2', 'legacy-1.9'],
  ['1.8.9', 'legacy-1.8'],
  ['1.10.12', 'modern'],
  ['=1.11.0-b3', 'modern'],
  ['=1.11.0b3', 'modern'],
  ['=1.10.8-rc1', 'legacy-1.9'],
  ['1.9.*', 'legacy-1.9'],
  ['1.10.x', 'modern'],
  ['~=1.9', 'modern'],
  ['~=1.9.1', 'legacy-1.9'],
])('require-dbt-version %s asks for %s', (range, name) => {
  expect(chooseProfile(undefined, project(range)).name).toBe(name)
})

test('is modern by default', () => {
  expect(chooseProfile(undefined, undefined).name).toBe('modern')
})

test('writes flat test arguments if the project disables the property', () => {
  expect(chooseProfile(undefined, project('>=1.11', false)).name).toBe('legacy-1.9')
})

test.each(['1.6', 'one', '1.6.9', ''])('refuses %j', (version) => {
  expect(() => chooseProfile(version, undefined)).toThrow('expected a dbt version from 1.7 on')
})

test.each([
  ['1.11.16', '>=1.5.0', 'modern'],
  ['1.9.4', '>=1.5.0', 'legacy-1.9'],
  ['1.8.0+build.5', undefined, 'legacy-1.8'],
  ['1.10.8rc1', undefined, 'legacy-1.9'],
  ['2.0.0-alpha.4', '>=1.8.0', 'modern'],
  ['2026.1.5+6a7b', undefined, 'modern'],
  // a manifest of another time than the range
  ['1.7.3', '>=1.10.0', 'modern'],
  ['1.11.0', '<1.10.0', 'legacy-1.9'],
  ['of today', '<1.10.0', 'legacy-1.9'],
])('dbt %s, installed where %s is allowed, reads %s', (installed, range, name) => {
  expect(chooseProfile(undefined, project(range, true, installed)).name).toBe(name)
})

test('is the requested one, whatever is installed', () => {
  expect(chooseProfile('1.9', project('>=1.11.0', true, '1.11.2')).name).toBe('legacy-1.9')
})
