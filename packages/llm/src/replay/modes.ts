/** `replay` asks nobody, `record` asks and keeps what it gets, `live` asks. */
export const CASSETTE_MODES = ['replay', 'record', 'live'] as const

export type CassetteMode = (typeof CASSETTE_MODES)[number]
