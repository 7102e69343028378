/** A change of a declaration that some test must notice. */
export interface Mutation {
  readonly title: string
  readonly file: string
  /** Occurs once in the file. */
  readonly from: string
  readonly to: string
  /** The area's own tests beside the policies; empty where a policy alone must notice. */
  readonly tests: readonly string[]
}

const users = ['src/areas/users/endpoints.test.ts']
const websites = ['src/areas/websites/endpoints.test.ts']

/** The fixed list: codes, statuses, replies, defaults, guards, secrets, steps, effects, limits and categories. */
export const mutations: readonly Mutation[] = [
  {
    title: 'an error code of the contract is renamed',
    file: 'src/areas/filemanager/endpoints/arrange.ts',
    from: "own('copy_failed')",
    to: "own('copying_failed')",
    tests: [],
  },
  {
    title: 'a reply field is renamed against the contract',
    file: 'src/areas/filemanager/model.ts',
    from: "  archive: Type.String({ maxLength: 255, description: 'Name that was used' }),",
    to: "  file: Type.String({ maxLength: 255, description: 'Name that was used' }),",
    tests: [],
  },
  {
    title: "an area's steps are removed",
    file: 'src/areas/websites/area.ts',
    from: '  steps: ({ websites: { folders } }: Context) => [folders.make, folders.unlinkLogs, folders.remove],\n',
    to: '',
    tests: [],
  },
  {
    title: 'a code of the contract is removed',
    file: 'src/areas/filemanager/transfers/download-endpoints.ts',
    from: '    user_error: UserLookupFailed,\n',
    to: '',
    tests: [],
  },
  {
    title: 'a code of a failing change is renamed',
    file: 'src/areas/system/endpoints.ts',
    from: '{ rewrite_failed: notTaken }',
    to: '{ rewrite_error: notTaken }',
    tests: [],
  },
  {
    title: 'a code outside the contract is renamed',
    file: 'src/areas/users/endpoints.ts',
    from: 'account_failed: AccountFailed',
    to: 'account_error: AccountFailed',
    tests: users,
  },
  {
    title: 'a created resource is answered with 200',
    file: 'src/areas/lbproxy/endpoints/backends.ts',
    from: '  body: model.BackendDraft,\n  reply: created(model.Backend),',
    to: '  body: model.BackendDraft,\n  reply: data(model.Backend),',
    tests: [],
  },
  {
    title: 'a key is answered with 201',
    file: 'src/areas/users/endpoints.ts',
    from: 'reply: data(NewApiKey)',
    to: 'reply: created(NewApiKey)',
    tests: [],
  },
  {
    title: 'failures of files are answered with 503',
    file: 'src/areas/filemanager/failures.ts',
    from: '  [code]: at(\n    500,',
    to: '  [code]: at(\n    503,',
    tests: [],
  },
  {
    title: 'the refusal of a domain is answered with 409',
    file: 'src/areas/websites/problems.ts',
    from: "export const DomainTaken = problem('bad_request', 400,",
    to: "export const DomainTaken = problem('bad_request', 409,",
    tests: websites,
  },
  {
    title: 'the default of a mode is changed',
    file: 'src/areas/lbproxy/shapes/names.ts',
    from: "default: 'http'",
    to: "default: 'tcp'",
    tests: [],
  },
  {
    title: 'the default of a balance is removed',
    file: 'src/areas/lbproxy/shapes/backends.ts',
    from: "Type.String({ ...algorithm, default: 'roundrobin' })",
    to: 'Optional(Type.String(algorithm))',
    tests: [],
  },
  {
    title: 'the rows a page are changed',
    file: 'src/core/reply.ts',
    from: '      default: 50,',
    to: '      default: 500,',
    tests: [],
  },
  {
    title: 'a field becomes required',
    file: 'src/areas/lbproxy/shapes/backends.ts',
    from: '  port: PortOrDefault,\n  weight: Optional(Nullable(Weight)),',
    to: '  port: PortOrDefault,\n  weight: Nullable(Weight),',
    tests: [],
  },
  {
    title: 'the permission of an area is another',
    file: 'src/areas/lbproxy/area.ts',
    from: "permission('administrative_operations')",
    to: "permission('websites_management')",
    tests: [],
  },
  {
    title: 'a guard of an endpoint is opened',
    file: 'src/areas/auth/endpoints.ts',
    from: "  path: '/password',\n",
    to: "  path: '/password',\n  guard: open('The current password is checked here'),\n",
    tests: [],
  },
  {
    title: "a caller reads another user's permissions",
    file: 'src/areas/users/endpoints.ts',
    from: 'const isOwn = caller.user.id === params.uid',
    to: 'const isOwn = caller.user.id !== 0',
    tests: users,
  },
  {
    title: 'a row is loaded without a target',
    file: 'src/areas/jobs/endpoints.ts',
    from: '  target: ({ params, caller, jobs }) => jobs.load(params.id, caller),\n  run: ({ target }) => showJob(target),',
    to: '  run: async ({ params, caller, jobs }) => showJob(await jobs.load(params.id, caller)),',
    tests: [],
  },
  {
    title: "another user's job is shown",
    file: 'src/areas/jobs/context.ts',
    from: 'row === undefined || (!caller.user.isAdmin && row.owner_id !== caller.user.id)',
    to: 'row === undefined',
    tests: ['src/areas/jobs/endpoints.test.ts'],
  },
  {
    title: 'a password is plain text',
    file: 'src/areas/auth/model.ts',
    from: "  password: Secret({ maxLength: 256, expects: 'a password', description: 'Password' }),",
    to: "  password: Text(256, { expects: 'a password', description: 'Password' }),",
    tests: [],
  },
  {
    title: 'a new key is masked where it is shown once',
    file: 'src/areas/users/model.ts',
    from: "key: Revealed({ description: 'The key, shown only here' })",
    to: "key: Secret({ description: 'The key, shown only here' })",
    tests: users,
  },
  {
    title: 'one step kind of an area is not registered',
    file: 'src/areas/filemanager/area.ts',
    from: 'Object.values(steps),',
    to: 'Object.values(steps).slice(1),',
    tests: [],
  },
  {
    title: 'a step kind of jobs is not registered',
    file: 'src/areas/jobs/area.ts',
    from: '[jobs.cancelStep]',
    to: '[]',
    tests: [],
  },
  {
    title: 'a deletion is called a change',
    file: 'src/areas/lbproxy/endpoints/backends.ts',
    from: "effect: 'destroys'",
    to: "effect: 'changes'",
    tests: [],
  },
  {
    title: 'a deletion by POST is called a change',
    file: 'src/areas/filemanager/endpoints/files.ts',
    from: "effect: 'destroys'",
    to: "effect: 'changes'",
    tests: [],
  },
  {
    title: 'a list is called a change',
    file: 'src/areas/users/endpoints.ts',
    from: "  summary: 'List users',\n  effect: 'reads',",
    to: "  summary: 'List users',\n  effect: 'changes',\n  category: 'users',",
    tests: [],
  },
  {
    title: 'a text has no maximum',
    file: 'src/areas/auth/model.ts',
    from: "Type.String({ maxLength: 10, description: 'Code of the second factor, where one is set up' })",
    to: "Type.String({ description: 'Code of the second factor, where one is set up' })",
    tests: [],
  },
  {
    title: 'a list has no maximum',
    file: 'src/areas/users/model.ts',
    from: "  maxItems: 100,\n  description: 'Permission slugs',",
    to: "  description: 'Permission slugs',",
    tests: [],
  },
  {
    title: 'a body has no limit',
    file: 'src/areas/filemanager/endpoints/files.ts',
    from: 'bodyBytes: 24 * 1024 * 1024',
    to: 'bodyBytes: 24 * 1024 ** 3',
    tests: [],
  },
  {
    title: 'attempts to renew a session are not limited',
    file: 'src/areas/auth/endpoints.ts',
    from: '  rateLimit: { perMinute: 60, keys: ({ visitor }) => [visitor.ip] },\n',
    to: '',
    tests: [],
  },
  {
    title: 'a change has no category',
    file: 'src/areas/plugins/endpoints.ts',
    from: "answers again',\n  effect: 'changes',\n  category: 'plugins',",
    to: "answers again',\n  effect: 'changes',",
    tests: [],
  },
  {
    title: 'a change is local without a reason',
    file: 'src/areas/filemanager/endpoints/asked.ts',
    from: "local('no category covers the files in homes')",
    to: "local('')",
    tests: [],
  },
  {
    title: "an area's style of errors is another",
    file: 'src/areas/lbproxy/area.ts',
    from: "errors: 'message-only'",
    to: "errors: 'coded'",
    tests: [],
  },
  {
    title: 'a spread hides a failure',
    file: 'src/areas/websites/endpoints.ts',
    from: 'throws: failures(notServed, folderFailures)',
    to: 'throws: { ...notServed, ...folderFailures }',
    tests: ['test/policies/architecture.test.ts'],
  },
]
