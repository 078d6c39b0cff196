/* version.c VERSION - the header's numbers, its text, the library's own word and VERSION are one.
 */
#include <tacos.h>

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    char numbers[64];
    (void)snprintf(numbers, sizeof numbers, "%d.%d.%d", TACOS_VERSION_MAJOR, TACOS_VERSION_MINOR,
                   TACOS_VERSION_PATCH);
    printf("%s, %s, %s, %s\n", numbers, TACOS_VERSION_STRING, tacos_version(),
           argc == 2 ? argv[1] : "(no VERSION given)");
    return argc != 2 || strcmp(numbers, TACOS_VERSION_STRING) != 0 ||
           strcmp(numbers, tacos_version()) != 0 || strcmp(numbers, argv[1]) != 0;
}
