// Published packages do not ask for what the build has put into them: single libraries (release/vendor.ts), and all that the
// command imports (release/bundle.ts). The workspace does, because its sources run unbuilt, and so licences and the bill of
// materials are complete.
const BUILT_IN = { '@stagecraft/core': ['nunjucks'], '@stagecraft/spec': ['zod'] }

export const hooks = {
  beforePacking(manifest) {
    const builtIn =
      manifest.name === '@stagecraft/cli' ? Object.keys(manifest.dependencies) : BUILT_IN[manifest.name]
    for (const name of builtIn ?? []) delete manifest.dependencies[name]
    return manifest
  },
}
