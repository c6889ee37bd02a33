export { cassetteFetch, type CassetteFetchOptions } from './cassette-fetch.ts'
export { CASSETTE_MODES, type CassetteMode } from './modes.ts'
export { replay, type ReplayOptions } from './replay.ts'
