import { NameTaken, NoSuchPart, OnlyByHand } from '../problems.ts'
import type { Config } from './config.ts'
import { frontendKinds, type FrontendParts } from './frontend-parts.ts'
import { setParts } from './section-parts.ts'
import { appendSection, dropSection, findSection, refuseConditional, type Section } from './sections.ts'
import { encodeToken } from './tokens.ts'

/** Adds a frontend at the end. */
export function addFrontend(config: Config, name: string, parts: Partial<FrontendParts>): Config {
  const taken = findSection(config, ['frontend', 'listen'], name)
  if (taken !== undefined) throw NameTaken(`name: there is a ${taken.kind} ${name} already`)
  return editFrontend(appendSection(config, [`frontend ${encodeToken(name)}`]), name, parts)
}

/** Gives a frontend the parts that are named; the statements of all others stay as they are. */
export function editFrontend(config: Config, name: string, parts: Partial<FrontendParts>): Config {
  return setParts(config, (current) => frontendNamed(current, name), { kinds: frontendKinds, parts })
}

/** Removes a frontend, with everything that is its own. */
export function removeFrontend(config: Config, name: string): Config {
  const section = frontendNamed(config, name)
  if (section.kind === 'listen')
    throw OnlyByHand(`name: the section ${name} is a listen, which is a backend too: change it as text`)
  return dropSection(config, section)
}

function frontendNamed(config: Config, name: string): Section {
  const section = findSection(config, ['frontend', 'listen'], name)
  if (section === undefined) throw NoSuchPart(`name: there is no frontend ${name}`)
  refuseConditional(config, section.start, `name: the frontend ${name}`)
  return section
}
