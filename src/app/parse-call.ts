import { parseArgs } from 'node:util'
import { commands } from './commands.ts'
import { type Call, type Command, options } from './commands/command.ts'

/** A command and what it is called with. */
export interface ParsedCall {
  readonly command: Command
  readonly call: Call
}

/** Reads the command, its arguments and its options; a text says what is wrong with them. */
export function parseCall(args: readonly string[]): ParsedCall | string {
  const parsed = parsedArgs(args)
  if (typeof parsed === 'string') return parsed
  const { positionals, values } = parsed
  if (values.help === true) return called('help', [], {})
  const [name, ...rest] = positionals
  if (name !== undefined) return called(name, rest, values)
  const { version, ...others } = values
  return called(version === true ? 'version' : 'help', [], others)
}

function parsedArgs(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options })
  } catch (error) {
    return (error as Error).message.split('. ')[0] as string // the rest explains how parseArgs is used
  }
}

type Values = Exclude<ReturnType<typeof parsedArgs>, string>['values']

function called(name: string, positionals: readonly string[], values: Values): ParsedCall | string {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) return `there is no command ${name}`
  const refusal = refusalOf(command, positionals, values)
  if (refusal !== undefined) return `${name} ${refusal}: use hostreeve ${command.usage.split(/ {2,}/)[0]}`
  const { body, key, checkpoint, output, file, to } = values
  const call = {
    ...{ positionals, isJson: values.json === true, body },
    ...{ key, checkpoint, output, file, to },
    ...{ isPruning: values.prune === true, isConfirmed: values.yes === true },
  }
  return { command, call }
}

/** What a command does not take would be ignored, and the caller believe that it had an effect. */
function refusalOf(
  { options: taken, maxArguments }: Command,
  positionals: readonly string[],
  values: Values,
): string | undefined {
  const other = Object.keys(values).find((option) => !taken.some((each) => each === option))
  if (other !== undefined) return `does not take --${other}`
  if (positionals.length <= maxArguments) return undefined
  if (maxArguments === 0) return 'takes no arguments'
  return `takes at most ${maxArguments} ${maxArguments === 1 ? 'argument' : 'arguments'}`
}
