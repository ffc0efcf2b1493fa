import tseslint from 'typescript-eslint'

/** The functions that are given to `inChange` or `inModelChange`, and those whose first parameter is a change */
const IN_CHANGE = [
  'CallExpression:matches([callee.name=/^in(Model)?Change$/], [callee.property.name=/^in(Model)?Change$/]) > .arguments',
  ':function[params.0.typeAnnotation.typeAnnotation.typeName.name=/^(Model)?Change$/]',
].join(', ')
const PROJECTS = ['tsconfig.json', 'sdk/tsconfig.json', 'pages/tsconfig.json', 'examples/*/tsconfig.json']

export default tseslint.config(
  { ignores: ['**/dist/', '**/generated/', 'data/', '**/node_modules/', '.{tap,sdks,releases,verify}/', 'clients/'] },
  ...tseslint.configs.strictTypeChecked,
  ...tseslint.configs.stylisticTypeChecked,
  {
    // A list of projects takes two thirds of the time of `projectService`.
    languageOptions: { parserOptions: { project: PROJECTS, tsconfigRootDir: import.meta.dirname } },
    rules: {
      // Object types are written with `type` throughout.
      '@typescript-eslint/consistent-type-definitions': ['error', 'type'],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/explicit-function-return-type': [
        'error',
        { allowExpressions: true, allowTypedFunctionExpressions: true },
      ],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      // A number or a boolean in a template is what it looks like.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      // Names that are left out of a copy are left out on purpose.
      '@typescript-eslint/no-unused-vars': [
        'error',
        { ignoreRestSiblings: true, varsIgnorePattern: '^_', argsIgnorePattern: '^_' },
      ],
      // Our objects are closures: their methods have no `this` to lose.
      '@typescript-eslint/unbound-method': 'off',
      // `async` also turns what is thrown into a rejection.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // `object['member']` reaches a member that a library declares as private.
      '@typescript-eslint/dot-notation': ['error', { allowPrivateClassPropertyAccess: true }],
      // Digits have no parts.
      '@typescript-eslint/no-misused-spread': ['error', { allow: ['string'] }],
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  {
    files: ['src/**'],
    rules: {
      complexity: ['error', 12],
      'max-lines-per-function': ['error', { max: 50 }],
    },
  },
  {
    // Tracing has its own, which exists only while it is on.
    files: ['src/**'],
    ignores: ['src/telemetry/tracing/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: 'node:async_hooks',
              importNames: ['AsyncLocalStorage'],
              message: 'It makes each promise of Node.js 20 dearer: pass the value.',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['src/operations/**', 'src/services/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'SpreadElement[argument.name=/^(call|request)$/]',
          message: 'A copy of a call has no client and no rate limiter: name what is needed, or use withMembers.',
        },
      ],
    },
  },
  {
    files: ['src/store/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: `:matches(${IN_CHANGE}) Identifier[name=/^(pool|prisma|in(Model)?Change)$/]`,
          message:
            'A change must use its transaction. Another connection may never become free, and its writes are not rolled back.',
        },
      ],
    },
  },
  // Answers are judged against the document before a test looks into them.
  { files: ['test/**'], rules: { '@typescript-eslint/no-unsafe-member-access': 'off' } },
  {
    files: ['scripts/**', 'src/main.ts', 'src/serve.ts', 'src/cli/**'],
    rules: { 'no-console': 'off' },
  },
  {
    // Components return elements, and handlers of events may be asynchronous.
    files: ['examples/*/src/**/*.tsx'],
    rules: {
      '@typescript-eslint/explicit-function-return-type': 'off',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
    },
  },
  {
    // Only the packages of the example itself have the types of react-dom.
    files: ['examples/react/src/main.tsx'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
    },
  },
  {
    files: ['**/*.mjs', '**/*.js'],
    extends: [tseslint.configs.disableTypeChecked],
    rules: { '@typescript-eslint/explicit-function-return-type': 'off' },
  },
)
