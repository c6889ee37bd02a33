import fc from 'fast-check'

/** The seed of property tests that give none, so that they run the same cases every day. `random` draws another. */
const SEED = process.env['STAGECRAFT_TEST_SEED'] ?? '20261122'

if (SEED !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(SEED) })
