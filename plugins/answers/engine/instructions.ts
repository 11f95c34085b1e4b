/**
 * Detects text that addresses a program instead of a reader. A source with such a sentence is excluded entirely, because its
 * author tries to steer the answer. In a question such text has no effect, because no question is executed as an instruction.
 */
const INSTRUCTION = new RegExp(
  [
    '\\b(?:ignore|disregard|forget|override|bypass)\\b[^.]{0,40}\\b(?:previous|prior|above|earlier|all|any|your|these|the)\\b[^.]{0,30}\\b(?:instructions?|prompts?|rules?|guidelines?|directions?|context|messages?)\\b',
    '\\b(?:system|developer|assistant|hidden) (?:prompt|message|instructions?)\\b',
    '\\b(?:as|you are|you’re|act as|pretend (?:to be|you are)) (?:an? |the )?(?:ai|a\\.i\\.|artificial intelligence|language model|llm|chat ?bot|assistant|gpt)\\b',
    '\\b(?:ai|language models?|llms?|assistants?|chat ?bots?)\\b[^.]{0,30}\\b(?:must|should|shall|are (?:told|instructed|ordered) to)\\b[^.]{0,40}\\b(?:say|tell|answer|reply|respond|state|recommend|output|cite)\\b',
    '\\b(?:tell|inform|assure|reply to|answer) (?:the |every |all |any )?(?:user|reader|patient)s?\\b[^.]{0,40}\\b(?:safe|effective|cure|no risk|should (?:buy|take))\\b',
    '\\b(?:say|state|reply|respond|answer|output|print) (?:only |that |with )+[^.]{0,40}\\b(?:safe|effective|cures?|harmless)\\b',
    '<\\/?(?:system|assistant|instructions?|prompt)>|\\[/?INST\\]|<\\|im_(?:start|end)\\|>',
  ].join('|'),
  'i',
);

/** Returns whether a text tries to instruct a program. */
export const givesInstructions = (text: string): boolean => INSTRUCTION.test(text.replace(/\s+/g, ' '));
