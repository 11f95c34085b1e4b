/** Detects text that addresses a model and not a reader. It is never followed, only reported. */
const patterns: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:instructions?|prompts?|rules|above|previous|prior|context)\b/i,
  /\b(?:you are|act as|pretend to be|behave as)\b.{0,30}\b(?:an? )?(?:ai|assistant|language model|llm|chatbot|gpt|system)\b/i,
  /\b(?:system|developer|assistant) ?(?:prompt|message|:)/i,
  /\b(?:as an ai|large language model|prompt injection)\b/i,
  /\b(?:respond|reply|answer|output|return) (?:only )?(?:with|in) (?:json|the following|exactly)\b/i,
  /\b(?:set|mark|report|classify|change)\b.{0,30}\b(?:all|every|the)\b.{0,20}\b(?:values?|results?|markers?)\b.{0,20}\b(?:as|to)\b/i,
  /<\/?(?:system|instructions?|prompt|assistant)>/i,
  /\b(?:ignoriere|missachte|vergiss)\b.{0,40}\b(?:anweisung(?:en)?|vorgaben|regeln)\b/i,
  /\b(?:ignore[zr]?|oubliez)\b.{0,40}\b(?:consignes|instructions)\b/i,
  /\b(?:ignora|olvida)\b.{0,40}\b(?:instrucciones|indicaciones)\b/i,
];

export const isInstruction = (text: string): boolean => patterns.some((pattern) => pattern.test(text));
