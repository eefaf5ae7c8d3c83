"""The faults of docs/reliability.fr.md by those that tests are marked with."""

from __future__ import annotations

from collections.abc import Mapping

FRENCH: Mapping[str, str] = {
    "fault": "panne",
    "in": "dans",
    "a backup: damaged, cut or of another program": (
        "une sauvegarde : abîmée, coupée ou d'un autre programme"
    ),
    "a pod: a screen without power, a bus that hangs": (
        "un pod : un écran sans courant, un bus qui se bloque"
    ),
    "a pod: firmware of another level": "un pod : le firmware d'un autre niveau",
    "a pod: its program hangs": "un pod : son programme se bloque",
    "a pod: noise on its line, lost and wrong bytes": (
        "un pod : du bruit sur sa ligne, des octets perdus et faux"
    ),
    "a pod: reboot and pulled plug": "un pod : redémarrage et prise arrachée",
    "a seat dies in mid-entry, and a phone takes over": (
        "un siège meurt en pleine saisie, et un téléphone le remplace"
    ),
    "a wired seat: a NACK, a line that is taken": (
        "un siège câblé : un NACK, une ligne déjà prise"
    ),
    "faults built into the firmware": "des fautes mises dans le firmware",
    "phones: stalled, vanished, slow": "des téléphones : figés, disparus, lents",
    "pods: a reboot, a pulled plug, a dead screen, silence or noise in every round": (
        "des pods : redémarrage, prise arrachée, écran mort, silence ou bruit à chaque manche"
    ),
    "the disk is gone: a new one, and the stick of the old one": (
        "le disque n'est plus : un neuf, et la clé USB de l'ancien"
    ),
    "the disk: full while a rules pack is kept": (
        "le disque : plein pendant qu'on garde un règlement"
    ),
    "the disk: full while a rules pack is kept, over HTTP": (
        "le disque : plein pendant qu'on garde un règlement, par HTTP"
    ),
    "the disk: full, or failing at a write or a sync": (
        "le disque : plein, ou en défaut à une écriture ou à un sync"
    ),
    "the door: PINs are guessed": "la porte : on essaie des PIN",
    "the door: a foreign name leads here": "la porte : un nom étranger mène ici",
    "the door: an address takes more than its share": (
        "la porte : une adresse prend plus que sa part"
    ),
    "the door: memory is short": "la porte : la mémoire manque",
    "the door: no more files can be opened": "la porte : plus aucun fichier ne peut s'ouvrir",
    "the door: slow and silent clients": "la porte : des clients lents et muets",
    "the journal: both of its files damaged in the same place": (
        "le journal : ses deux fichiers abîmés au même endroit"
    ),
    "the journal: one of its files damaged after a kill": (
        "le journal : l'un de ses fichiers abîmé après un kill"
    ),
    "the journal: taken away, cut or replaced under a running table": (
        "le journal : retiré, coupé ou remplacé sous une table qui joue"
    ),
    "the journal: the plug pulled in the middle of a write": (
        "le journal : la prise arrachée au milieu d'une écriture"
    ),
    "the package: an update that does not come up": (
        "le paquet : une mise à jour qui ne démarre pas"
    ),
    "the stick: plugged in, pulled out, full": "la clé USB : branchée, arrachée, pleine",
    "the table: a full disk, a fault of ours": "la table : un disque plein, une faute à nous",
    "the table: a season without a pause, phones that come and go": (
        "la table : une saison sans pause, des téléphones qui vont et viennent"
    ),
    "the table: frozen for a quarter of a minute, and a press meanwhile": (
        "la table : figée un quart de minute, et une pression pendant ce temps"
    ),
    "the table: kill -9 at any moment": "la table : kill -9 à n'importe quel moment",
    "the table: killed, and any one of its files damaged": (
        "la table : tuée, et n'importe lequel de ses fichiers abîmé"
    ),
    "wired seats: screens unplugged, broken off, without power in every round": (
        "des sièges câblés : écrans débranchés, arrachés, sans courant à chaque manche"
    ),
}
