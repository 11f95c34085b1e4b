/** Normalizes barcodes (UPC-A, EAN-8, EAN-13 and GTIN-14) to GTIN-14. */

/** Returns the GS1 check digit of these digits. */
const checkDigit = (digits: string): number => {
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) sum += Number(digits[digits.length - 1 - at]) * (at % 2 ? 1 : 3);
  return (10 - (sum % 10)) % 10;
};

/** Expands an eight-digit UPC-E code to the twelve digits of UPC-A, or returns "". */
const expandUpcE = (digits: string): string => {
  const [, system = '', a = '', b = '', c = '', d = '', e = '', last = '', check = ''] =
    /^([01])(\d)(\d)(\d)(\d)(\d)(\d)(\d)$/.exec(digits) ?? [];
  if (!system) return '';
  if ('012'.includes(last)) return `${system}${a}${b}${last}0000${c}${d}${e}${check}`;
  if (last === '3') return `${system}${a}${b}${c}00000${d}${e}${check}`;
  if (last === '4') return `${system}${a}${b}${c}${d}00000${e}${check}`;
  return `${system}${a}${b}${c}${d}${e}0000${last}${check}`;
};

const isRight = (digits: string): boolean => checkDigit(digits.slice(0, -1)) === Number(digits.at(-1));

/**
 * Returns the GTIN-14 of a printed barcode (digits with spaces or hyphens), or "" when it is not one, has a wrong check
 * digit, or is a shop's own code such as X003UB5Q33. Eight digits are read as EAN-8 first, then as UPC-E.
 */
export const gtin14 = (printed: string): string => {
  if (/[^\d\s-]/.test(printed)) return '';
  const digits = printed.replace(/\D/g, '');
  if (![8, 12, 13, 14].includes(digits.length) || /^0+$/.test(digits)) return '';
  if (isRight(digits)) return digits.padStart(14, '0');
  const expanded = digits.length === 8 ? expandUpcE(digits) : '';
  return expanded && isRight(expanded) ? expanded.padStart(14, '0') : '';
};
