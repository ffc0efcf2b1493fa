// Settings of Stryker, which measures how many faults the tests notice:
// `TESTS='contract/password/*' npm run mutate -- --mutate src/store/accounts/passwords.ts`. Each mutant changes one place of a
// copy of the sources; one of the tests that evaluate this place must fail.
const { TESTS = '**/*' } = process.env

export default {
  testRunner: 'tap',
  plugins: ['@stryker-mutator/tap-runner'],
  tap: { testFiles: [`dist/test/${TESTS}.test.js`] },
  mutate: ['src/{domain,operations,serializers,services,store}/**/*.ts'],
  coverageAnalysis: 'perTest',
  tempDirName: '.mutants',
  symlinkNodeModules: false, // the build needs them before Stryker would link them
  buildCommand: String.raw`sh -c ln\ -s\ ../../node_modules\ node_modules;node\ scripts/build.mjs\ --if-stale`,
  ignorePatterns: ['.releases', '.sdks', '.verify', 'data', 'deploy'],
  reporters: ['clear-text', 'progress-append-only'],
}
