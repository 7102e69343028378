import type { Condition, LibraryRule, Template } from '../model.ts'

const condition = (
  field: string,
  operator: Condition['operator'],
  value: string | null,
  negate = false,
): Condition => ({
  field,
  operator,
  value,
  negate,
})

const badBots =
  '(?i)(?:ahrefsbot|semrushbot|mj12bot|dotbot|petalbot|bytespider|blexbot|dataforseobot|zoominfobot|masscan|zgrab|sqlmap|nikto|nmap|wpscan|nuclei)'

/** The library as long as nobody has changed it. */
export const builtInRules: LibraryRule[] = [
  {
    id: 'lib:bad-bots',
    name: 'Scanners and greedy bots',
    description: 'User agents of crawlers that take much and give nothing, and of vulnerability scanners',
    conditions: [condition('user_agent', 'matches', badBots)],
  },
  {
    id: 'lib:no-user-agent',
    name: 'No user agent',
    description: 'Requests that do not name their browser',
    conditions: [condition('user_agent', 'exists', null, true)],
  },
  {
    id: 'lib:secrets',
    name: 'Files that nobody should ask for',
    description: 'Configuration, dumps and repositories that were left in the document root',
    conditions: [
      condition(
        'path',
        'matches',
        '(?i)(?:/\\.(?:env|git|svn|hg|aws|ssh)(?:/|$)|\\.(?:sql|bak|old|swp)(?:\\.gz)?$|/wp-config\\.php.)',
      ),
    ],
  },
  {
    id: 'lib:login-pages',
    name: 'Login pages',
    description: 'Sign-in attempts of common applications',
    conditions: [
      condition(
        'path',
        'matches',
        '(?i)/(?:wp-login\\.php|xmlrpc\\.php|administrator/index\\.php|user/login|login|signin)$',
      ),
      condition('method', 'equals', 'POST'),
    ],
  },
  {
    id: 'lib:admin-pages',
    name: 'Admin pages',
    description: 'Pages for the administrators of common applications',
    conditions: [
      condition('path', 'matches', '(?i)^/(?:wp-admin|administrator|admin|phpmyadmin)(?:/|$)'),
      condition('path', 'ends_with', '/admin-ajax.php', true),
    ],
  },
]

/** Rulesets to begin with. */
export const templates: Template[] = [
  {
    name: 'Block bad bots',
    description: 'Refuses scanners and greedy crawlers, and files that should not be there',
    action: 'block',
    action_options: { status: 403 },
    combine: 'any',
    rules: [{ library: 'lib:bad-bots' }, { library: 'lib:secrets' }],
  },
  {
    name: 'Admin pages for a group only',
    description: 'Refuses admin pages to addresses outside the group Administrators, which you create first',
    action: 'block',
    action_options: { status: 403 },
    combine: 'all',
    rules: [
      { library: 'lib:admin-pages' },
      { name: 'Not an administrator', conditions: [condition('ip', 'in_group', 'Administrators', true)] },
    ],
  },
  {
    name: 'Limit sign-in attempts',
    description: 'At most ten sign-in attempts per minute and address',
    action: 'rate_limit',
    action_options: { requests: 10 },
    combine: 'any',
    rules: [{ library: 'lib:login-pages' }],
  },
  {
    name: 'Deny a country',
    description:
      'Refuses requests from a country; replace ZZ by its ISO code, and add a rule for each further one',
    action: 'block',
    action_options: { status: 403 },
    combine: 'any',
    rules: [{ name: 'From the country', conditions: [condition('country', 'equals', 'ZZ')] }],
  },
  {
    name: 'Hotlink protection',
    description: 'Refuses images to pages of other websites; replace example.com by your own domain',
    action: 'block',
    action_options: { status: 403 },
    combine: 'any',
    rules: [
      {
        name: 'Images on other websites',
        conditions: [
          condition('path', 'matches', '(?i)\\.(?:jpe?g|png|gif|webp|avif|svg|mp4)$'),
          condition('referer', 'exists', null),
          condition('referer', 'matches', '(?i)^https?://([^/]+\\.)?example\\.com(?:[:/]|$)', true),
        ],
      },
    ],
  },
]
