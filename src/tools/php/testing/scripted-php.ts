import { readFileSync } from 'node:fs'
import type { Script } from '../../../host/testing/scripted-run.ts'
import { unquoted } from '../directives.ts'
import { readIni } from '../ini.ts'

/** What is built into the scripted PHP. */
const builtIn = {
  allow_url_fopen: 'On',
  'date.timezone': 'UTC',
  disable_functions: '',
  error_reporting: '',
  max_execution_time: '30',
  memory_limit: '128M',
  'session.use_strict_mode': '0',
  user_agent: '',
}

/** Reports directives as `php-fpm -i` does, from the php.ini of a version below `root`. */
export function scriptPhp(root: string | (() => string), version: string): Script {
  const rootOf = () => (typeof root === 'string' ? root : root())
  return ([program, ...args]) => {
    if (program !== `/usr/sbin/php-fpm${version}` || !args.includes('-i')) return undefined
    const path = args.includes('-c')
      ? args[args.indexOf('-c') + 1]!
      : `${rootOf()}/etc/php/${version}/fpm/php.ini`
    const values: Record<string, string> = { ...builtIn }
    if (!args.includes('-n'))
      for (const { name, written } of readIni(readFileSync(path, 'latin1')))
        if (name in builtIn) values[name] = reported(name, unquoted(written))
    if (values['user_agent'] === 'refused') return { stderr: 'PHP Warning:  PHP Startup: Invalid user_agent' }
    const lines = Object.entries(values).map(([name, value]) => [name, value || 'no value'])
    return {
      stdout: `phpinfo()\nPHP Version => ${version}.1\n${lines.map(([name, value]) => `${name} => ${value} => ${value}\n`).join('')}`,
    }
  }
}

const reported = (name: string, value: string): string => {
  if (name === 'error_reporting') return '22527'
  if (name === 'allow_url_fopen') return /^(?:on|1|yes|true)$/i.test(value) ? 'On' : 'Off'
  return value
}
